"""Apache Spark as a place where rows are: its session, and tables as it reads them."""

"""Rows in Apache Spark, counted, joined and written by its executors: for tables of more than one machine."""

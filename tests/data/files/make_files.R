# Makes the files of R from truth.csv: `Rscript make_files.R`. The names of rows are R's own.
people <- read.csv("truth.csv")
people$seen <- format(as.POSIXct(people$seen, tz = "UTC"), "%d.%m.%Y %H:%M")
write.csv(people, "R-write-csv.csv")
write.csv2(people, "R-write-csv2.csv", na = ".")
write.table(people, "R-write-table.txt", sep = "\t")
people$born <- format(as.Date(people$born), "%d.%m.%y")
write.table(people, "R-write-table-blanks.txt", fileEncoding = "latin1")
write.csv(people[order(people$age), ], "R-ordered.csv", na = "-99")

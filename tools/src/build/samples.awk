# Writes the input of the commands in commands.txt: two tables, and a text for ncgen.
# Variables: folder
BEGIN {
  srand(1)
  numbers = folder "/numbers.csv"
  texts = folder "/texts.csv"
  cdl = folder "/sample.cdl"
  # Enough rows for the optimising compiler to reach what is called for each cell.
  print "i,a,b,c,d" >numbers
  print "i,a,name,time,note" >texts
  for (i = 0; i < 60000; i++) {
    printf "%d,%.17g,%.17g,%g,%.7g\n", i, rand(), 100 * rand(), 0.125 * i, rand() >numbers
    printf "%d,%.17g,name %d,2026-11-02T06:%02d,\"a, b\"\n", i, rand(), i % 7, i % 50 >texts
  }
  print "netcdf sample {\ndimensions:\n x = 400000 ;\nvariables:" >cdl
  print " double numbers(x) ;\n  numbers:units = \"m\" ;" >cdl
  print " double chunks(x) ;\n  chunks:_ChunkSizes = 50000 ;" >cdl
  print "  chunks:_DeflateLevel = 1 ;\n  chunks:_Shuffle = \"true\" ;" >cdl
  for (i = 0; i < 100; i++)
    printf " int small%d ;\n  small%d:units = \"m\" ;\n  small%d:scale = %g ;\n", i, i, i, i / 2 >cdl
  printf "data:\n numbers = 0" >cdl
  for (i = 1; i < 400000; i++) printf ", %.1f", i / 10 >cdl
  print " ;\n}" >cdl
}

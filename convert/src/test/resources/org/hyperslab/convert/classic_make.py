# Writes a file of the classic types: argument, the file.
import sys, netCDF4, numpy
with netCDF4.Dataset(sys.argv[1], "w") as file:
    file.createDimension("t", None)
    file.createDimension("x", 3)
    t = file.createVariable("t", "f8", ("t",))
    t[:] = [0.5, 1.5]
    t.units = "days since 2000-01-01"
    for code in ("i1", "i2", "i4", "f4", "f8", "S1"):
        v = file.createVariable("v_" + code, code, ("t", "x"), zlib=code == "i4", chunksizes=(1, 3))
        v[:] = numpy.array([[b"a", b"b", b"c"]] * 2) if code == "S1" else numpy.arange(6).reshape(2, 3)
    filled = file.createVariable("filled", "i2", ("x",), fill_value=-9)
    filled[0] = 4
    filled.valid_range = numpy.array([0, 9], "i2")
    file.createVariable("scalar", "f4")[...] = 2.5
    words = file.createVariable("words", str, ("x",))
    words[:] = numpy.array(["grün", "", "x"], object)
    words.setncattr_string("kind", "of text")
    file.title = "classic"

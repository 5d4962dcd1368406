# Compares a file with its copy in the classic model, by two readers: arguments, the two files.
import sys, netCDF4, numpy, xarray
with netCDF4.Dataset(sys.argv[2]) as file:
    assert file.data_model == "NETCDF4_CLASSIC", file.data_model
    assert file.dimensions["t"].isunlimited() and not file.dimensions["x"].isunlimited()
    assert file["v_i4"].filters()["zlib"] and file["v_i4"].chunking() == [1, 3]
    assert "_FillValue" in file["filled"].ncattrs() and "_FillValue" not in file["v_i4"].ncattrs()
for engine in ("netcdf4", "h5netcdf"):
    a, b = (xarray.open_dataset(path, engine=engine).load() for path in sys.argv[1:3])
    assert a.identical(b), (engine, a, b)
    assert dict(a.sizes) == dict(b.sizes)

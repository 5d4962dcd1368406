"""Compares what xarray reads from files with what it reads from the file they were converted from."""

import sys
import warnings

import numpy
import xarray

warnings.simplefilter("ignore")


def opened(path):
    if path.endswith(".zarr2"):
        return xarray.open_zarr(path)
    return xarray.open_dataset(path, engine="netcdf4")


def flat(variable):
    """Numbers, or bytes of texts; what is missing is None."""
    return [
        None
        if isinstance(v, float) and v != v
        else v.encode("utf-8", "surrogateescape").rstrip(b"\0")
        if isinstance(v, str)
        else v.rstrip(b"\0")
        if isinstance(v, bytes)
        else v
        for v in variable.values.reshape(-1).tolist()
    ]


source = opened(sys.argv[1])
for path in sys.argv[2:]:
    other = opened(path)
    assert set(other.data_vars) == set(source.data_vars), (path, set(other) ^ set(source))
    for name in source.data_vars:
        a, b = flat(source[name]), flat(other[name])
        assert a == b, (path, name, a, b)
        kept = {k for k in other[name].attrs if k != "_Encoding"}
        assert kept == set(source[name].attrs), (path, name, other[name].attrs)

"""Makes files of every netCDF format with variables of every type, with and without a fill value."""

import sys

import netCDF4
import numpy

CLASSIC = {
    "i1": numpy.int8(-5),
    "i2": numpy.int16(-5),
    "i4": numpy.int32(-5),
    "f4": numpy.float32("nan"),
    "f8": numpy.float64("-inf"),
}
FIVE = {
    "u1": numpy.uint8(250),
    "u2": numpy.uint16(65000),
    "u4": numpy.uint32(4000000000),
    "i8": numpy.int64(-5),
    "u8": numpy.uint64(18446744073709551610),
}
CHARACTERS = {"space": b" ", "nul": b"\0"}


def add(out, name, dtype, fill, axis):
    variable = out.createVariable(name, dtype, (axis,), fill_value=fill)
    variable.note = "n"
    variable.set_auto_mask(False)
    if dtype == "S1":
        variable[0] = b"a"
    elif dtype is str:
        variable[0] = "a"
    else:
        variable[0] = 1


def make(path, kind, numbers, texts):
    with netCDF4.Dataset(path, "w", format=kind) as out:
        out.createDimension("fixed", 3)
        out.createDimension("records")
        for axis in ("fixed", "records"):
            for name, fill in numbers.items():
                add(out, f"{name}_none_{axis}", name, None, axis)
                add(out, f"{name}_fill_{axis}", name, fill, axis)
            add(out, f"char_none_{axis}", "S1", None, axis)
            for name, fill in CHARACTERS.items():
                add(out, f"char_{name}_{axis}", "S1", fill, axis)
            for name, fill in texts.items():
                add(out, f"text_{name}_{axis}", str, fill, axis)
        # Along the dimension of records, all the others are longer.
        out.variables["i4_fill_records"][2] = 7


folder = sys.argv[1]
make(f"{folder}/classic.cdf1", "NETCDF3_CLASSIC", CLASSIC, {})
make(f"{folder}/classic.cdf2", "NETCDF3_64BIT_OFFSET", CLASSIC, {})
make(f"{folder}/classic.netcdf4_classic", "NETCDF4_CLASSIC", CLASSIC, {})
make(f"{folder}/numbers.cdf5", "NETCDF3_64BIT_DATA", CLASSIC | FIVE, {})
make(f"{folder}/numbers.netcdf4", "NETCDF4", CLASSIC | FIVE, {})
make(f"{folder}/texts.netcdf4", "NETCDF4", CLASSIC, {"none": None, "word": "none", "empty": ""})

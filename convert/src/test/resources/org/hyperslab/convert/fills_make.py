"""Makes files of every netCDF format with variables of every type, with and without a fill value."""

import subprocess
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
CHARACTERS = {"space": b" ", "nul": b"\0", "latin": b"\xe9"}


USER_TYPES = """netcdf user {
types:
  byte enum color { red = 0, green = 1, blue = 2 };
  compound pair { int a; float b; };
  int(*) list;
  opaque(4) blob;
dimensions: fixed = 3; records = UNLIMITED;
variables:
  int last(records);
  color enum_none_AXIS(AXIS), enum_fill_AXIS(AXIS); color enum_fill_AXIS:_FillValue = blue;
  pair pair_none_AXIS(AXIS), pair_fill_AXIS(AXIS); pair pair_fill_AXIS:_FillValue = {7, 1.5};
  list list_none_AXIS(AXIS), list_fill_AXIS(AXIS); list list_fill_AXIS:_FillValue = {5, 6};
  blob blob_none_AXIS(AXIS), blob_fill_AXIS(AXIS); blob blob_fill_AXIS:_FillValue = 0Xcafebabe;
data:
  last = 1, 2, 3;
  enum_none_AXIS = red, blue, green; enum_fill_AXIS = red, _, green;
  pair_none_AXIS = {1, 2}, {3, 4}, {5, 6}; pair_fill_AXIS = {1, 2}, _, {5, 6};
  list_none_AXIS = {1}, {2, 3}, {}; list_fill_AXIS = {1}, {5, 6}, {4};
  blob_none_AXIS = 0X01020304, 0X05060708, 0X090a0b0c; blob_fill_AXIS = 0X01020304, _, 0X090a0b0c;
}
"""


def add_user_types(path):
    lines = USER_TYPES.splitlines()
    both = [line.replace("AXIS", axis) for line in lines for axis in ("fixed", "records")[: 1 + ("AXIS" in line)]]
    cdl = path + ".cdl"
    with open(cdl, "w") as text:
        text.write("\n".join(both))
    subprocess.run(["ncgen", "-4", "-o", path, cdl], check=True)


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
add_user_types(f"{folder}/user.netcdf4")

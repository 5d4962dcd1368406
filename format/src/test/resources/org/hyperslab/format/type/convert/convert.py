"""Converts single elements by H5Tconvert, through h5py.

The argument is a file of lines with two types and the bytes of an element in hexadecimal digits;
the bytes that come out are printed, a line for each. "version" prints the version of HDF5.
"""
import sys

import h5py
import numpy as np

T = h5py.h5t


def ordered(kind, name):
    kind = kind.copy()
    kind.set_order(T.ORDER_BE if name.endswith("be") else T.ORDER_LE)
    return kind


def narrow(exponent, mantissa, bias):
    kind = T.IEEE_F32LE.copy()
    kind.set_fields(15, mantissa, exponent, 0, mantissa)
    kind.set_ebias(bias)
    kind.set_precision(16)
    kind.set_size(2)
    return kind


def colours(lacking):
    kind = T.enum_create(T.STD_I16LE)
    for value, name in enumerate((b"RED", b"GREEN", b"BLUE")):
        if not lacking or value != 1:
            kind.enum_insert(name, value * (10 if lacking else 1))
    return kind


def integer(name):
    bits = int(name[1:-2])
    kind = (T.STD_I32LE if name[0] == "i" else T.STD_U32LE).copy()
    kind.set_precision(bits)
    kind.set_size(1 if bits <= 8 else 2 if bits <= 16 else 4 if bits <= 32 else 8)
    return kind


def type_of(name):
    if name.startswith("colours"):
        return colours(name.endswith("without-green"))
    if name.startswith("f16"):
        return ordered(narrow(5, 10, 15), name)
    if name.startswith("bf16"):
        return ordered(narrow(8, 7, 127), name)
    if name.startswith("f"):
        return ordered(T.IEEE_F64LE if name.startswith("f64") else T.IEEE_F32LE, name)
    return ordered(integer(name), name)


def convert(source, target, digits):
    element = bytes.fromhex(digits)
    buffer = np.zeros(32, "u1")
    buffer[: len(element)] = list(element)
    kind = type_of(target)
    try:
        T.convert(type_of(source), kind, 1, buffer)
    except (TypeError, ValueError, RuntimeError):
        return "refused"
    return buffer[: kind.get_size()].tobytes().hex()


if sys.argv[1] == "version":
    print(h5py.version.hdf5_version)
else:
    for line in open(sys.argv[1]):
        print(convert(*line.split()))

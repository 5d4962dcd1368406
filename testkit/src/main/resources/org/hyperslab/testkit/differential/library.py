"""Carries out edits on HDF5 files with the HDF5 C library, tells what files hold, converts elements.

Requests are lines of JSON on standard input, answers lines on standard output: "ok", how many lines follow,
and these, or "error" and what went wrong. Run as: library.py machine | newest. "machine" takes the library that h5py
uses, "newest" the newest that the loader finds.

A type is a list, its class first; an element is the hexadecimal text of its bytes, or, where it has parts,
a list of them; see TypeSpec of the Java side. Before each edit a line says its number, so that whoever reads knows at
which one the process ended. Source: the HDF5 API reference.
"""
import ctypes as C
import json
import struct
import sys

HID, HSIZE, PTR = C.c_int64, C.c_uint64, C.c_void_p
UNLIMITED = 2**64 - 1


def load(which):
    if which == "machine":
        import h5py  # noqa: F401: its library is in this process from here on
        with open("/proc/self/maps") as maps:
            for line in maps:
                name = line.rsplit("/", 1)[-1].strip()
                if "libhdf5" in name and ".so" in name and not any(x in name for x in ("_hl", "_cpp", "hl.")):
                    return C.CDLL("/" + line.split("/", 1)[1].strip())
    for number in range(400, 199, -1):
        try:
            return C.CDLL("libhdf5_serial.so.%d" % number)
        except OSError:
            continue
    raise OSError("no library of HDF5 2")


L = load(sys.argv[1])
INT = {"H5Tget_size", "H5Tget_precision", "H5Tget_ebias", "H5Dget_chunk"}
HIDS = {
    "H5Fopen", "H5Fcreate", "H5Gopen2", "H5Gcreate2", "H5Dopen2", "H5Dcreate2", "H5Oopen", "H5Acreate2",
    "H5Aopen", "H5Aopen_by_idx", "H5Pcreate", "H5Screate", "H5Screate_simple", "H5Scopy", "H5Tcopy", "H5Tcreate",
    "H5Tvlen_create", "H5Tarray_create2", "H5Tenum_create", "H5Tget_super", "H5Tget_member_type", "H5Dget_space",
    "H5Dget_type", "H5Aget_space", "H5Aget_type", "H5Dget_create_plist", "H5Gget_create_plist",
    "H5Rdereference2", "H5Rget_region", "H5Topen2", "H5Fget_create_plist", "H5Tget_native_type",
    "H5Oget_comment", "H5Ropen_object", "H5Ropen_region", "H5Ropen_attr", "H5Pget_layout", "H5Tcomplex_create",
}
SIZES = {"H5Tget_size", "H5Tget_precision", "H5Tget_ebias", "H5Dget_storage_size", "H5Tget_offset"}


class Failure(Exception):
    pass


def of_h5(name, *arguments):
    """Calls a function; integers of Python are handles or lengths, so all go as 64 bits."""
    f = FUNCTIONS.get(name)
    if f is None:
        f = getattr(L, name)
        f.restype = C.c_uint64 if name in SIZES else HID if name in HIDS else C.c_int64 if name.endswith("size") or "name_by_idx" in name or "comment" in name or name in ("H5Aget_name", "H5Sget_select_npoints", "H5Sget_simple_extent_npoints", "H5Rget_attr_name") else C.c_int
        FUNCTIONS[name] = f
    result = f(*[C.c_int64(a if a < 2**63 else a - 2**64) if type(a) is int else a for a in arguments])
    if result < 0:
        raise Failure(name + ": " + stack())
    return result


FUNCTIONS = {}
WALK = C.CFUNCTYPE(C.c_int, C.c_uint, PTR, PTR)


class ErrorEntry(C.Structure):
    _fields_ = [("cls", HID), ("maj", HID), ("min", HID), ("line", C.c_uint), ("func", C.c_char_p),
                ("file", C.c_char_p), ("desc", C.c_char_p)]


def stack():
    told = []

    def visit(_, entry, __):
        one = C.cast(entry, C.POINTER(ErrorEntry)).contents
        told.append((one.func or b"").decode() + "(" + (one.desc or b"").decode("utf-8", "replace") + ")")
        return 0

    L.H5Ewalk2(HID(0), C.c_int(0), WALK(visit), None)
    return " <- ".join(told[:12])


L.H5open()
L.H5Eset_auto2(HID(0), None, None)


def constant(name):
    return HID.in_dll(L, name + "_g").value


def either(*names):
    return next(n for n in names if hasattr(L, n))


LINK_INFO = either("H5Lget_info_by_idx1", "H5Lget_info_by_idx")
OBJECT_INFO = either("H5Oget_info1", "H5Oget_info")
ORDERS = {"le": 0, "be": 1}
PADS = {"nullterm": 0, "nullpad": 1, "spacepad": 2}
SETS = {"ascii": 0, "utf8": 1}
REFERENCES = {"obj": ("H5T_STD_REF_OBJ", 8), "reg": ("H5T_STD_REF_DSETREG", 12), "std": ("H5T_STD_REF", 64)}


def key(table, value):
    return next(k for k, v in table.items() if v == value)


def dims_of(values):
    return (HSIZE * max(len(values), 1))(*values)


class Scope:
    """Closes handles in the opposite order."""

    CLOSE = {1: "H5Fclose", 2: "H5Gclose", 3: "H5Tclose", 4: "H5Sclose", 5: "H5Dclose"}

    def __init__(self):
        self.handles = []

    def __enter__(self):
        return self

    def __call__(self, handle):
        self.handles.append(handle)
        return handle

    def __exit__(self, *_):
        for handle in reversed(self.handles):
            L.H5Idec_ref(HID(handle))


# ------------------------------------------------------------------------------------------------ types

def out_of_line(spec):
    kind = spec[0]
    if kind in ("vstr", "vlen", "ref"):
        return True
    if kind == "cmp":
        return any(out_of_line(m[2]) for m in spec[2])
    return kind in ("arr",) and out_of_line(spec[2])


def size_of(spec):
    kind = spec[0]
    if kind in ("int", "float", "str", "opaque", "bits"):
        return spec[1]
    if kind == "vstr":
        return 8
    if kind == "vlen":
        return 16
    if kind == "ref":
        return REFERENCES[spec[1]][1]
    if kind == "enum":
        return spec[1][1]
    if kind == "arr":
        n = 1
        for d in spec[1]:
            n *= d
        return n * size_of(spec[2])
    return spec[1] if spec[1] else sum(size_of(m[2]) for m in spec[2])


def offsets(spec):
    if spec[1]:
        return [m[1] for m in spec[2]]
    at, found = 0, []
    for m in spec[2]:
        found.append(at)
        at += size_of(m[2])
    return found


def make_type(spec):
    kind = spec[0]
    if kind == "int":
        _, size, order, signed, precision, offset = spec
        t = of_h5("H5Tcopy", constant("H5T_STD_I8LE" if signed else "H5T_STD_U8LE"))
        of_h5("H5Tset_size", t, size)
        of_h5("H5Tset_order", t, ORDERS[order])
        of_h5("H5Tset_precision", t, precision)
        of_h5("H5Tset_offset", t, offset)
        return t
    if kind == "bits":
        _, size, order, precision, offset = spec
        t = of_h5("H5Tcopy", constant("H5T_STD_B8LE"))
        of_h5("H5Tset_size", t, size)
        of_h5("H5Tset_order", t, ORDERS[order])
        of_h5("H5Tset_precision", t, precision)
        of_h5("H5Tset_offset", t, offset)
        return t
    if kind == "float":
        _, size, order, precision, offset, spos, epos, esize, mpos, msize, bias, norm = spec
        t = of_h5("H5Tcopy", constant("H5T_IEEE_F64LE"))
        if size > 8:
            of_h5("H5Tset_size", t, size)
        of_h5("H5Tset_precision", t, 8 * max(size, 8))
        of_h5("H5Tset_fields", t, spos, epos, esize, mpos, msize)
        of_h5("H5Tset_ebias", t, bias)
        of_h5("H5Tset_norm", t, {"implied": 0, "msbset": 1, "none": 2}[norm])
        of_h5("H5Tset_precision", t, precision)
        of_h5("H5Tset_offset", t, offset)
        of_h5("H5Tset_size", t, size)
        of_h5("H5Tset_order", t, ORDERS[order])
        return t
    if kind in ("str", "vstr"):
        t = of_h5("H5Tcopy", constant("H5T_C_S1"))
        of_h5("H5Tset_size", t, spec[1] if kind == "str" else UNLIMITED)
        of_h5("H5Tset_strpad", t, PADS[spec[-2]])
        of_h5("H5Tset_cset", t, SETS[spec[-1]])
        return t
    if kind == "opaque":
        t = of_h5("H5Tcreate", 5, spec[1])
        of_h5("H5Tset_tag", t, spec[2].encode())
        return t
    if kind == "ref":
        return of_h5("H5Tcopy", constant(REFERENCES[spec[1]][0]))
    if kind == "enum":
        with Scope() as s:
            t = of_h5("H5Tenum_create", s(make_type(spec[1])))
            for name, value in spec[2]:
                of_h5("H5Tenum_insert", t, name.encode(), C.create_string_buffer(bytes.fromhex(value), len(value)))
            return t
    if kind == "vlen":
        with Scope() as s:
            return of_h5("H5Tvlen_create", s(make_type(spec[1])))
    if kind == "arr":
        with Scope() as s:
            return of_h5("H5Tarray_create2", s(make_type(spec[2])), len(spec[1]), dims_of(spec[1]))
    if kind == "cmp":
        with Scope() as s:
            t = of_h5("H5Tcreate", 6, size_of(spec))
            for (name, _, member), at in zip(spec[2], offsets(spec)):
                of_h5("H5Tinsert", t, name.encode(), at, s(make_type(member)))
            return t
    raise Failure("type " + kind)


def text_of(pointer):
    text = C.cast(pointer, C.c_char_p).value.decode("utf-8", "surrogateescape")
    L.H5free_memory(C.c_void_p(pointer))
    return text


def string_result(name, *arguments):
    f = getattr(L, name)
    f.restype = PTR
    return text_of(f(*[HID(a) if type(a) is int else a for a in arguments]))


def tell_type(t):
    kind = of_h5("H5Tget_class", t)
    size = of_h5("H5Tget_size", t)
    if kind == 0 or kind == 4:
        told = ["int" if kind == 0 else "bits", size, key(ORDERS, of_h5("H5Tget_order", t) if size > 1 else 0)]
        if kind == 0:
            told.append(of_h5("H5Tget_sign", t))
        return told + [of_h5("H5Tget_precision", t), of_h5("H5Tget_offset", t)]
    if kind == 1:
        fields = [C.c_size_t() for _ in range(5)]
        of_h5("H5Tget_fields", t, *[C.byref(x) for x in fields])
        spos, epos, esize, mpos, msize = [x.value for x in fields]
        return ["float", size, key(ORDERS, of_h5("H5Tget_order", t) if size > 1 else 0), of_h5("H5Tget_precision", t), of_h5("H5Tget_offset", t),
                spos, epos, esize, mpos, msize, of_h5("H5Tget_ebias", t),
                ["implied", "msbset", "none"][of_h5("H5Tget_norm", t)]]
    if kind == 3:
        tail = [key(PADS, of_h5("H5Tget_strpad", t)), key(SETS, of_h5("H5Tget_cset", t))]
        return (["vstr"] if of_h5("H5Tis_variable_str", t) else ["str", size]) + tail
    if kind == 5:
        return ["opaque", size, string_result("H5Tget_tag", t)]
    if kind == 6:
        members = []
        with Scope() as s:
            for i in range(of_h5("H5Tget_nmembers", t)):
                f = L.H5Tget_member_offset
                f.restype = C.c_size_t
                members.append([string_result("H5Tget_member_name", t, C.c_uint(i)), f(HID(t), C.c_uint(i)),
                                tell_type(s(of_h5("H5Tget_member_type", t, i)))])
        if any(out_of_line(m[2]) for m in members):
            return ["cmp", 0, [[m[0], 0, m[2]] for m in members]]
        return ["cmp", size, members]
    if kind == 7:
        return ["ref", {8: "obj", 12: "reg"}.get(size, "std")]  # of the last the size in memory, or in the file
    with Scope() as s:
        base = tell_type(s(of_h5("H5Tget_super", t)))
    if kind == 8:
        members = []
        for i in range(of_h5("H5Tget_nmembers", t)):
            value = C.create_string_buffer(size)
            of_h5("H5Tget_member_value", t, i, value)
            members.append([string_result("H5Tget_member_name", t, C.c_uint(i)), value.raw.hex()])
        return ["enum", base, sorted(members)]
    if kind == 9:
        return ["vlen", base]
    if kind == 10:
        dims = (HSIZE * 32)()
        rank = of_h5("H5Tget_array_dims2", t, dims)
        return ["arr", list(dims[:rank]), base]
    raise Failure("class %d" % kind)


# --------------------------------------------------------------------------------------------- elements

KEPT = []  # what pointers in elements lead to, until the request is answered
REVISED = []  # references of HDF5 1.12 in memory, which keep their file open until they are destroyed


def destroy_references():
    for reference in REVISED:
        L.H5Rdestroy(reference)
    REVISED.clear()


class Codec:
    """Elements in memory as this library wants them."""

    def __init__(self, file, paths=None):
        self.file, self.paths, self.kept = file, paths, KEPT

    def encode_all(self, spec, values):
        size = size_of(spec)
        buffer = C.create_string_buffer(max(size * len(values), 1))
        whole = memoryview(buffer).cast("B")
        for i, value in enumerate(values):
            self.encode(spec, value, whole, i * size)
        return buffer

    def encode(self, spec, value, out, at):
        kind = spec[0]
        if kind in ("int", "float", "str", "opaque", "bits", "enum"):
            out[at:at + len(value) // 2] = bytes.fromhex(value)
        elif kind == "vstr":
            kept = C.create_string_buffer(value.encode())
            self.kept.append(kept)
            out[at:at + 8] = struct.pack("<Q", C.addressof(kept))
        elif kind == "vlen":
            kept = self.encode_all(spec[1], value)
            self.kept.append(kept)
            out[at:at + 16] = struct.pack("<QQ", len(value), C.addressof(kept) if value else 0)
        elif kind == "cmp":
            for (_, _, member), offset, part in zip(spec[2], offsets(spec), value):
                self.encode(member, part, out, at + offset)
        elif kind == "arr":
            step = size_of(spec[2])
            for i, part in enumerate(value):
                self.encode(spec[2], part, out, at + i * step)
        elif kind == "ref":
            self.refer(spec[1], value, out, at)
        else:
            raise Failure("element of " + kind)

    def refer(self, kind, value, out, at):
        if value is None:
            return
        into = C.create_string_buffer(64)
        path = value[1].encode()
        if kind == "std":
            if value[0] == "obj":
                of_h5("H5Rcreate_object", self.file, path, 0, into)
            elif value[0] == "attr":
                of_h5("H5Rcreate_attr", self.file, path, value[2].encode(), 0, into)
            else:
                with Scope() as s:
                    space = s(self.region_space(s, path, value))
                    of_h5("H5Rcreate_region", self.file, path, space, 0, into)
        elif kind == "obj":
            of_h5("H5Rcreate", into, self.file, path, 0, -1)
        else:
            with Scope() as s:
                space = s(self.region_space(s, path, value))
                of_h5("H5Rcreate", into, self.file, path, 1, space)
        if kind == "std":
            REVISED.append(into)
        size = REFERENCES[kind][1]
        out[at:at + size] = into.raw[:size]

    def region_space(self, s, path, value):
        space = of_h5("H5Dget_space", s(of_h5("H5Dopen2", self.file, path, 0)))
        select(space, value[2])
        return space

    def decode_all(self, spec, raw, count, base=0):
        size = size_of(spec)
        return [self.decode(spec, raw, base + i * size) for i in range(count)]

    def decode(self, spec, raw, at):
        kind = spec[0]
        if kind in ("int", "float", "str", "opaque", "bits", "enum"):
            return raw[at:at + size_of(spec)].hex()
        if kind == "vstr":
            pointer, = struct.unpack_from("<Q", raw, at)
            return C.string_at(pointer).decode("utf-8", "surrogateescape") if pointer else ""
        if kind == "vlen":
            count, pointer = struct.unpack_from("<QQ", raw, at)
            inner = C.string_at(pointer, count * size_of(spec[1])) if count else b""
            return self.decode_all(spec[1], inner, count)
        if kind == "cmp":
            return [self.decode(m[2], raw, at + o) for m, o in zip(spec[2], offsets(spec))]
        if kind == "arr":
            step = size_of(spec[2])
            return self.decode_all(spec[2], raw, size_of(spec) // max(step, 1), at)
        if kind == "ref":
            return self.follow(spec[1], raw[at:at + size_of(spec)])
        raise Failure("element of " + kind)

    def follow(self, kind, raw):
        if not any(raw):
            return None
        held = C.create_string_buffer(raw, 64)
        with Scope() as s:
            if kind == "std":
                return self.follow_revised(s, held)
            number = 0 if kind == "obj" else 1
            target = s(of_h5("H5Rdereference2", self.file, 0, number, held))
            path = self.paths.get(address(target), "nowhere")
            if kind == "obj":
                return ["obj", path]
            return ["reg", path] + tell_region(s(of_h5("H5Rget_region", self.file, 1, held)))

    def follow_revised(self, s, held):
        kind = of_h5("H5Rget_type", held)
        target = s(of_h5("H5Ropen_object", held, 0, 0))
        path = self.paths.get(address(target), "nowhere")
        if kind == 2:
            return ["obj", path]
        if kind == 3:
            return ["reg", path] + tell_region(s(of_h5("H5Ropen_region", held, 0, 0)))
        name = C.create_string_buffer(256)
        of_h5("H5Rget_attr_name", held, name, 256)
        return ["attr", path, name.value.decode()]


def tell_region(space):
    rank = of_h5("H5Sget_simple_extent_ndims", space)
    low, high = dims_of([0] * rank), dims_of([0] * rank)
    of_h5("H5Sget_select_bounds", space, low, high)
    return [of_h5("H5Sget_select_npoints", space), list(low[:rank]), list(high[:rank])]


def address(handle):
    info = (C.c_uint64 * 64)()
    of_h5(OBJECT_INFO, handle, info)
    return info[1]


def make_space(dims, most=None):
    if dims is None:
        return of_h5("H5Screate", 2)
    if not dims:
        return of_h5("H5Screate", 0)
    return of_h5("H5Screate_simple", len(dims), dims_of(dims),
                 dims_of([UNLIMITED if m < 0 else m for m in most]) if most else None)


def tell_space(space):
    kind = of_h5("H5Sget_simple_extent_type", space)
    if kind == 2:
        return [None, None]
    rank = of_h5("H5Sget_simple_extent_ndims", space)
    dims, most = dims_of([0] * rank), dims_of([0] * rank)
    if rank:
        of_h5("H5Sget_simple_extent_dims", space, dims, most)
    return [list(dims[:rank]), [-1 if m == UNLIMITED else m for m in most[:rank]]]


def count_of(dims):
    if dims is None:
        return 0
    n = 1
    for d in dims:
        n *= d
    return n


def select(space, selection):
    kind = selection[0]
    if kind == "all":
        of_h5("H5Sselect_all", space)
    elif kind == "points":
        flat = [x for point in selection[1] for x in point]
        of_h5("H5Sselect_elements", space, 0, len(selection[1]), dims_of(flat))
    else:
        for i, (start, stride, count, block) in enumerate(selection[1]):
            of_h5("H5Sselect_hyperslab", space, 0 if i == 0 else 1, dims_of(start), dims_of(stride),
                  dims_of([UNLIMITED if c < 0 else c for c in count]), dims_of(block))


# ------------------------------------------------------------------------------------------------ edits

BOUND = {"earliest": 0, "v18": 1, "v110": 2, "v112": 3, "v114": 4, "v200": 5}
FILTERS = {"deflate": 1, "shuffle": 2, "fletcher32": 3, "nbit": 5, "scaleoffset": 6}


def access(s, how):
    fapl = s(of_h5("H5Pcreate", constant("H5P_CLS_FILE_ACCESS_ID")))
    of_h5("H5Pset_libver_bounds", fapl, BOUND[how["low"]], BOUND[how["high"]])
    of_h5("H5Pset_fclose_degree", fapl, 3)
    driver = how.get("driver")
    if driver and driver[0] == "family":
        of_h5("H5Pset_fapl_family", fapl, driver[1], 0)
    elif driver and driver[0] == "split":
        of_h5("H5Pset_fapl_split", fapl, b"-m.h5", 0, b"-r.h5", 0)
    elif driver and driver[0] == "multi":
        of_h5("H5Pset_fapl_multi", fapl, None, None, None, None, 1)
    return fapl


def creation(s, how):
    fcpl = s(of_h5("H5Pcreate", constant("H5P_CLS_FILE_CREATE_ID")))
    if how.get("userblock"):
        of_h5("H5Pset_userblock", fcpl, how["userblock"])
    if how.get("sizes"):
        of_h5("H5Pset_sizes", fcpl, *how["sizes"])
    if how.get("space"):
        of_h5("H5Pset_file_space_strategy", fcpl, how["space"][0], how["space"][1], 1)
    if how.get("shared"):
        of_h5("H5Pset_shared_mesg_nindexes", fcpl, len(how["shared"]))
        for i, (flags, least) in enumerate(how["shared"]):
            of_h5("H5Pset_shared_mesg_index", fcpl, i, flags, least)
        of_h5("H5Pset_shared_mesg_phase_change", fcpl, *how.get("sharedphase", [50, 40]))
    if how.get("order"):
        of_h5("H5Pset_link_creation_order", fcpl, 3)
    return fcpl


def carry_out(request):
    with Scope() as s:
        fapl = access(s, request)
        name = request["file"].encode()
        if request.get("create") is not None:
            file = of_h5("H5Fcreate", name, 2, creation(s, request["create"]), fapl)
        else:
            file = of_h5("H5Fopen", name, 1 | (0x20 if request.get("swmr") else 0), fapl)
        try:
            for i, edit in enumerate(request["edits"]):
                print("edit %d" % i, flush=True)
                try:
                    EDITS[edit[0]](file, *edit[1:])
                except Failure as failure:
                    raise Failure("edit %d %s: %s" % (i, json.dumps(edit)[:400], failure))
        finally:
            destroy_references()
            if L.H5Fclose(HID(file)) < 0:
                raise Failure("H5Fclose: " + stack())


def no_values(values):
    return values is None


def edit_group(file, path, order, phase, attributes):
    with Scope() as s:
        gcpl = s(of_h5("H5Pcreate", constant("H5P_CLS_GROUP_CREATE_ID")))
        if order:
            of_h5("H5Pset_link_creation_order", gcpl, 3)
        if phase:
            of_h5("H5Pset_link_phase_change", gcpl, *phase)
        attribute_storage(gcpl, attributes)
        s(of_h5("H5Gcreate2", file, path.encode(), 0, gcpl, 0))


def attribute_storage(plist, attributes):
    if attributes:
        of_h5("H5Pset_attr_creation_order", plist, 3 if attributes[0] else 0)
        of_h5("H5Pset_attr_phase_change", plist, attributes[1], attributes[2])


def filter_chunk(dcpl, chunk_filter):
    name = chunk_filter[0]
    if name == "deflate":
        of_h5("H5Pset_deflate", dcpl, chunk_filter[1])
    elif name == "scaleoffset":
        of_h5("H5Pset_scaleoffset", dcpl, 2, chunk_filter[1])
    elif name == "lzf":
        of_h5("H5Pset_filter", dcpl, 32000, 1, 0, None)
    else:
        of_h5("H5Pset_" + name, dcpl)


def edit_dataset(file, path, spec, dims, most, options, values):
    with Scope() as s:
        type_ = s(of_h5("H5Topen2", file, options["committed"].encode(), 0) if options.get("committed") else make_type(spec))
        dcpl = s(of_h5("H5Pcreate", constant("H5P_CLS_DATASET_CREATE_ID")))
        layout = options["layout"]
        if layout[0] == "chunk":
            of_h5("H5Pset_chunk", dcpl, len(layout[1]), dims_of(layout[1]))
        elif layout[0] == "compact":
            of_h5("H5Pset_layout", dcpl, 0)
        elif layout[0] == "contiguous":
            of_h5("H5Pset_layout", dcpl, 1)
        elif layout[0] == "external":
            for name, at, size in layout[1]:
                of_h5("H5Pset_external", dcpl, name.encode(), at, UNLIMITED if size < 0 else size)
        elif layout[0] == "virtual":
            for target, name, source, extent, part in layout[1]:
                vspace, sspace = s(make_space(dims, most)), s(make_space(extent))
                select(vspace, target)
                select(sspace, part)
                of_h5("H5Pset_virtual", dcpl, vspace, name.encode(), source.encode(), sspace)
        for one in options.get("filters", []):
            filter_chunk(dcpl, one)
        codec = Codec(file)
        if "fill" in options:
            of_h5("H5Pset_fill_value", dcpl, type_, codec.encode_all(spec, [options["fill"]]))
        if options.get("filltime") is not None:
            of_h5("H5Pset_fill_time", dcpl, options["filltime"])
        if options.get("alloc"):
            of_h5("H5Pset_alloc_time", dcpl, options["alloc"])
        attribute_storage(dcpl, options.get("attributes"))
        dataset = s(of_h5("H5Dcreate2", file, path.encode(), type_, s(make_space(dims, most)), 0, dcpl, 0))
        if values is not None:
            of_h5("H5Dwrite", dataset, type_, 0, 0, 0, codec.encode_all(spec, values))


def edit_write(file, path, spec, selection, values):
    with Scope() as s:
        dataset = s(of_h5("H5Dopen2", file, path.encode(), 0))
        space = s(of_h5("H5Dget_space", dataset))
        select(space, selection)
        memory = s(make_space([len(values)]))
        of_h5("H5Dwrite", dataset, s(make_type(spec)), memory, space, 0, Codec(file).encode_all(spec, values))


def edit_extent(file, path, dims):
    with Scope() as s:
        of_h5("H5Dset_extent", s(of_h5("H5Dopen2", file, path.encode(), 0)), dims_of(dims))


def edit_chunk(file, path, offset, mask, data):
    raw = bytes.fromhex(data)
    with Scope() as s:
        of_h5("H5Dwrite_chunk", s(of_h5("H5Dopen2", file, path.encode(), 0)), 0, mask, dims_of(offset), len(raw),
              C.create_string_buffer(raw, len(raw)))


def edit_attribute(file, path, name, spec, dims, committed, values):
    with Scope() as s:
        type_ = s(of_h5("H5Topen2", file, committed.encode(), 0) if committed else make_type(spec))
        owner = s(of_h5("H5Oopen", file, path.encode(), 0))
        acpl = s(of_h5("H5Pcreate", constant("H5P_CLS_ATTRIBUTE_CREATE_ID")))
        of_h5("H5Pset_char_encoding", acpl, 0 if name.isascii() else 1)
        attribute = s(of_h5("H5Acreate2", owner, name.encode(), type_, s(make_space(dims)), acpl, 0))
        if values is not None and dims is not None:
            of_h5("H5Awrite", attribute, type_, Codec(file).encode_all(spec, values))


def edit_rewrite_attribute(file, path, name, spec, values):
    with Scope() as s:
        owner = s(of_h5("H5Oopen", file, path.encode(), 0))
        attribute = s(of_h5("H5Aopen", owner, name.encode(), 0))
        of_h5("H5Awrite", attribute, s(make_type(spec)), Codec(file).encode_all(spec, values))


def edit_delete_attribute(file, path, name):
    with Scope() as s:
        of_h5("H5Adelete", s(of_h5("H5Oopen", file, path.encode(), 0)), name.encode())


def edit_rename_attribute(file, path, old, new):
    with Scope() as s:
        of_h5("H5Arename", s(of_h5("H5Oopen", file, path.encode(), 0)), old.encode(), new.encode())


def edit_commit(file, path, spec):
    with Scope() as s:
        of_h5("H5Tcommit2", file, path.encode(), s(make_type(spec)), 0, 0, 0)


EDITS = {
    "group": edit_group,
    "dataset": edit_dataset,
    "write": edit_write,
    "extent": edit_extent,
    "chunk": edit_chunk,
    "attribute": edit_attribute,
    "rewriteattribute": edit_rewrite_attribute,
    "deleteattribute": edit_delete_attribute,
    "renameattribute": edit_rename_attribute,
    "commit": edit_commit,
    "delete": lambda file, path: of_h5("H5Ldelete", file, path.encode(), 0),
    "move": lambda file, a, b: of_h5("H5Lmove", file, a.encode(), file, b.encode(), 0, 0),
    "hard": lambda file, a, b: of_h5("H5Lcreate_hard", file, a.encode(), file, b.encode(), 0, 0),
    "soft": lambda file, a, b: of_h5("H5Lcreate_soft", a.encode(), file, b.encode(), 0, 0),
    "external": lambda file, f, a, b: of_h5("H5Lcreate_external", f.encode(), a.encode(), file, b.encode(), 0, 0),
    "copy": lambda file, a, b: of_h5("H5Ocopy", file, a.encode(), file, b.encode(), 0, 0),
    "comment": lambda file, a, text: of_h5("H5Oset_comment_by_name", file, a.encode(), text.encode(), 0),
    "flush": lambda file: of_h5("H5Fflush", file, 1),
}


# ------------------------------------------------------------------------------------------- what is there

class LinkInfo(C.Structure):
    _fields_ = [("type", C.c_int), ("valid", C.c_bool), ("order", C.c_int64), ("cset", C.c_int), ("value", C.c_uint64)]


def links_of(group, by_order=False):
    info = (C.c_uint64 * 8)()
    of_h5("H5Gget_info", group, info)
    found = []
    for i in range(info[1]):
        name = C.create_string_buffer(1024)
        of_h5("H5Lget_name_by_idx", group, b".", int(by_order), 0, i, name, 1024, 0)
        one = LinkInfo()
        of_h5(LINK_INFO, group, b".", int(by_order), 0, i, C.byref(one), 0)
        found.append((name.value.decode("utf-8", "surrogateescape"), one))
    return found


def tell_link(group, name, info, paths):
    if info.type == 0:
        return [name, "hard", paths[info.value]]
    value = C.create_string_buffer(int(info.value) + 1)
    of_h5("H5Lget_val", group, name.encode(), value, int(info.value) + 1, 0)
    if info.type == 1:
        return [name, "soft", value.value.decode()]
    parts = value.raw[1:].split(b"\0")
    return [name, "external", parts[0].decode(), parts[1].decode()]


def collect(file, handle, path, paths, order):
    paths[address(handle)] = path
    order.append(path)
    if of_h5("H5Iget_type", handle) != 2:
        return
    for name, info in links_of(handle):
        if info.type == 0 and info.value not in paths:
            with Scope() as s:
                below = path.rstrip("/") + "/" + name
                collect(file, s(of_h5("H5Oopen", handle, name.encode(), 0)), below, paths, order)


def attributes_of(owner, codec, tracked):
    info = (C.c_uint64 * 64)()
    of_h5(OBJECT_INFO, owner, info)
    count = info[7]  # fileno, addr, type and rc, four times, number of attributes
    told, names = {}, []
    for i in range(count):
        with Scope() as s:
            a = s(of_h5("H5Aopen_by_idx", owner, b".", 1 if tracked else 0, 0, i, 0, 0))
            name = C.create_string_buffer(1024)
            of_h5("H5Aget_name", a, 1024, name)
            names.append(name.value.decode("utf-8", "surrogateescape"))
            type_, space = s(of_h5("H5Aget_type", a)), s(of_h5("H5Aget_space", a))
            spec, (dims, _) = tell_type(type_), tell_space(space)
            total = count_of(dims)
            buffer = C.create_string_buffer(max(total * size_of(spec), 1))
            if dims is not None:
                of_h5("H5Aread", a, type_, buffer)
            values = codec.decode_all(spec, buffer.raw, total)
            if total and out_of_line(spec):
                L.H5Dvlen_reclaim(HID(type_), HID(space), HID(0), buffer)
            told[names[-1]] = [spec, committed_name(type_, codec.paths), dims, values]
    return [[n] + told[n] for n in sorted(told)] + ([names] if tracked else [])


def committed_name(type_, paths):
    return paths.get(address(type_), "nowhere") if of_h5("H5Tcommitted", type_) > 0 else None


def tracked_attributes(plist):
    flags = C.c_uint()
    of_h5("H5Pget_attr_creation_order", plist, C.byref(flags))
    return flags.value & 1


def tell_comment(file, path):
    text = C.create_string_buffer(256)
    return text.value.decode() if of_h5("H5Oget_comment_by_name", file, path.encode(), text, 256, 0) > 0 else ""


def tell_group(s, file, handle, path, codec):
    gcpl = s(of_h5("H5Gget_create_plist", handle))
    flags = C.c_uint()
    of_h5("H5Pget_link_creation_order", gcpl, C.byref(flags))
    links = sorted(tell_link(handle, n, i, codec.paths) for n, i in links_of(handle))
    order = [n for n, _ in links_of(handle, True)] if flags.value & 1 else None
    return [path, "group", links, order, tell_comment(file, path), attributes_of(handle, codec, tracked_attributes(gcpl))]


def tell_layout(dcpl, rank):
    kind = of_h5("H5Pget_layout", dcpl)
    told = ["compact", "contiguous", "chunk", "virtual"][kind]
    if kind == 2:
        dims = dims_of([0] * rank)
        of_h5("H5Pget_chunk", dcpl, rank, dims)
        return [told, list(dims[:rank])]
    if kind == 1 and of_h5("H5Pget_external_count", dcpl):
        return ["external"]
    return [told]


def tell_filters(dcpl):
    told = []
    for i in range(of_h5("H5Pget_nfilters", dcpl)):
        flags, n, config = C.c_uint(), C.c_size_t(0), C.c_uint()
        told.append(of_h5("H5Pget_filter2", dcpl, i, C.byref(flags), C.byref(n), None, 0, None, C.byref(config)))
    return told


def tell_fill(dcpl, spec, type_, codec):
    status = C.c_int()
    of_h5("H5Pfill_value_defined", dcpl, C.byref(status))
    if status.value != 2:
        return ["undefined", "default"][status.value]
    buffer = C.create_string_buffer(size_of(spec))
    of_h5("H5Pget_fill_value", dcpl, type_, buffer)
    return codec.decode(spec, buffer.raw, 0)


def tell_dataset(s, file, handle, path, codec):
    dcpl, type_, space = s(of_h5("H5Dget_create_plist", handle)), s(of_h5("H5Dget_type", handle)), s(of_h5("H5Dget_space", handle))
    spec, (dims, most) = tell_type(type_), tell_space(space)
    total = count_of(dims)
    buffer = C.create_string_buffer(max(total * size_of(spec), 1))
    if total:
        of_h5("H5Dread", handle, type_, 0, 0, 0, buffer)
    values = codec.decode_all(spec, buffer.raw, total)
    if total and out_of_line(spec):
        L.H5Dvlen_reclaim(HID(type_), HID(space), HID(0), buffer)
    return [path, "dataset", spec, committed_name(type_, codec.paths), dims, most, tell_layout(dcpl, len(dims or [])),
            tell_filters(dcpl), tell_fill(dcpl, spec, type_, codec), values, tell_comment(file, path),
            attributes_of(handle, codec, tracked_attributes(dcpl))]


def tell(request):
    with Scope() as s:
        fapl = access(s, request)
        file = of_h5("H5Fopen", request["file"].encode(), 0, fapl)
        try:
            paths, order, told = {}, [], []
            with Scope() as s:
                collect(file, s(of_h5("H5Gopen2", file, b"/", 0)), "/", paths, order)
            codec = Codec(file, paths)
            for path in order:
                with Scope() as s:
                    try:
                        handle = s(of_h5("H5Oopen", file, path.encode(), 0))
                        kind = of_h5("H5Iget_type", handle)
                        if kind == 2:
                            told.append(tell_group(s, file, handle, path, codec))
                        elif kind == 5:
                            told.append(tell_dataset(s, file, handle, path, codec))
                        else:
                            told.append([path, "type", tell_type(handle), tell_comment(file, path), attributes_of(handle, codec, 0)])
                    except Failure as failure:
                        raise Failure(path + ": " + str(failure))
            return told
        finally:
            L.H5Fclose(HID(file))


def convert(source, target, data, count):
    """Bytes of elements of one type as those of another, as H5Tconvert makes them."""
    with Scope() as s:
        a, b = s(make_type(source)), s(make_type(target))
        raw = bytes.fromhex(data)
        room = max(size_of(source), size_of(target)) * count
        buffer, back = C.create_string_buffer(raw, room), C.create_string_buffer(room)
        of_h5("H5Tconvert", a, b, count, buffer, back, 0)
        return buffer.raw[:size_of(target) * count].hex()


def conversions(request):
    told = []
    for source, target, data, count in request["cases"]:
        try:
            told.append(convert(source, target, data, count))
        except Failure as failure:
            told.append("refused" if request.get("brief", True) else str(failure))
    return told


# -------------------------------------------------------------------------------------------------- SWMR

HELD = {}  # the file that is open from one request to the next, and its datasets by path


def open_for_swmr(request):
    with Scope() as s:
        fapl = access(s, {"low": "v110", "high": "v110"})
        HELD["file"] = of_h5("H5Fopen", request["file"].encode(), 0x21 if request["write"] else 0x40, fapl)


def step(request):
    for i, edit in enumerate(request["edits"]):
        print("edit %d" % i, flush=True)
        EDITS[edit[0]](HELD["file"], *edit[1:])
    of_h5("H5Fflush", HELD["file"], 1)


def look(request):
    told = []
    for path in request["paths"]:
        if path not in HELD:
            HELD[path] = of_h5("H5Dopen2", HELD["file"], path.encode(), 0)
        of_h5("H5Drefresh", HELD[path])
        with Scope() as s:
            type_ = s(of_h5("H5Dget_type", HELD[path]))
            spec, dims = tell_type(type_), tell_space(s(of_h5("H5Dget_space", HELD[path])))[0]
            total = count_of(dims)
            buffer = C.create_string_buffer(max(total * size_of(spec), 1))
            if total:
                of_h5("H5Dread", HELD[path], type_, 0, 0, 0, buffer)
            told.append(json.dumps([path, dims, Codec(HELD["file"]).decode_all(spec, buffer.raw, total)],
                                   separators=(",", ":"), ensure_ascii=False))
    return told


def shut(request):
    for path in [p for p in HELD if p != "file"]:
        of_h5("H5Dclose", HELD.pop(path))
    of_h5("H5Fclose", HELD.pop("file"))


def version():
    numbers = [C.c_uint() for _ in range(3)]
    L.H5get_libversion(*[C.byref(n) for n in numbers])
    return ".".join(str(n.value) for n in numbers)


SERVICES = {
    "edit": lambda request: carry_out(request) or [],
    "tell": lambda request: [json.dumps(o, separators=(",", ":"), ensure_ascii=False) for o in tell(request)],
    "convert": conversions,
    "open": lambda request: open_for_swmr(request) or [],
    "step": lambda request: step(request) or [],
    "look": look,
    "shut": lambda request: shut(request) or [],
    "version": lambda request: [version()],
}


def main():
    for line in sys.stdin:
        request = json.loads(line)
        KEPT.clear()
        try:
            lines = SERVICES[request["do"]](request)
            print("\n".join(["ok %d" % len(lines)] + lines), flush=True)
        except Failure as failure:
            print("error " + str(failure).replace("\n", " "), flush=True)
        except Exception as failure:  # the caller is told, and decides
            print("error %s: %r" % (type(failure).__name__, failure), flush=True)


main()

"""Writes random CDL files: random_cdl.py FOLDER SEED COUNT

Prints a line "NAME KIND FAULT,..." for each file NAME.cdl, with the kind of file that ncgen is to make of it, and why
netCDF-C 4.9's ncgen may make another file of it, or "none":
  int64       variables of 64-bit integers become variables of 32 bits in kind nc5
  characters  lists of characters along an unlimited dimension behind others are shifted
  compounds   compounds that C pads at their end have the bytes of other values from the second on
  fill        compounds and sequences that no list has are given, unlike those that were never written, fill values
Types, groups, attributes of every type, unlimited dimensions, names with escapes, fill values and properties of storage
occur.
"""
import os
import random
import sys


def name(r, i, p):
    base = p + str(i)
    return base + r.choice(['', '', '', '_x', '.y', '-z', 'é', '\\ a', '\\(b\\)'])
PR = ['byte', 'char', 'short', 'int', 'float', 'double']
NEW = ['ubyte', 'ushort', 'uint', 'int64', 'uint64', 'string']


def text(r):
    return '"' + ''.join((r.choice(['a', 'b', 'xyz', ' ', '\\n', '\\t', '\\"', '\\\\', "'", 'é', '%', '\\001']) for _ in range(r.randrange(6)))) + '"'
LIM = {'byte': (-128, 127), 'short': (-32768, 32767), 'int': (-2 ** 31, 2 ** 31 - 1), 'ubyte': (0, 255), 'ushort': (0, 65535), 'uint': (0, 2 ** 32 - 1), 'int64': (-2 ** 63, 2 ** 63 - 1), 'uint64': (0, 2 ** 64 - 1)}
SUF = {'byte': 'b', 'short': 's', 'int': '', 'ubyte': 'ub', 'ushort': 'us', 'uint': 'u', 'int64': 'll', 'uint64': 'ull', 'float': 'f', 'double': ''}


def num(r, t, suffix):
    if t in LIM:
        lo, hi = LIM[t]
        v = r.choice([0, 1, 5, lo, hi, r.randint(lo, hi), r.randint(max(lo, -100), min(hi, 100))])
        return str(v) + (SUF[t] if suffix else '')
    v = r.choice([0.0, 1.0, -2.5, r.gauss(0, 1), r.gauss(0, 10000000000.0), r.gauss(0, 1e-10), 1e+30, 123456.0])
    if r.random() < 0.08:
        return r.choice(['NaN', 'Infinity', '-Infinity']) + ('f' if t == 'float' else '')
    s = repr(v)
    if '.' not in s and 'e' not in s:
        s += '.'
    return s + (SUF[t] if suffix else '')


def value(r, t, types, d=0):
    if t in types:
        k, x = types[t][:2]
        if k == 'enum':
            return r.choice(x)
        if k == 'opaque':
            return '0x' + ''.join((r.choice('0123456789abcdef') for _ in range(2 * x)))
        if k == 'vlen':
            return '{' + ', '.join((value(r, x, types, d + 1) for _ in range(r.randrange(4)))) + '}'
        if k == 'compound':
            return '{' + ', '.join((field(r, f, types) for f in x)) + '}'
    if t == 'char':
        return '"' + r.choice('abcxyz') + '"'
    if t == 'string':
        return r.choice([text(r), text(r), '"plain"']) if d == 0 else '"' + r.choice(['a', 'bb', '']) + '"'
    return num(r, t, False)


def field(r, f, types):
    n, t, shape = f
    if not shape:
        return value(r, t, types, 1)
    c = 1
    for s in shape:
        c *= s
    if t == 'char':
        return '{' + ', '.join(('"' + 'q' * r.randint(1, shape[-1]) + '"' for _ in range(c // shape[-1]))) + '}'
    return '{' + ', '.join((value(r, t, types, 1) for _ in range(c))) + '}'


def layout(t, types):
    """The size in C, without padding at the end, and the alignment"""
    if t not in types:
        sizes = {'char': 1, 'byte': 1, 'ubyte': 1, 'short': 2, 'ushort': 2, 'int': 4, 'uint': 4, 'float': 4}
        size = sizes.get(t, 8)
        return size, size
    if types[t][0] == 'enum':
        return layout(types[t][2], types)
    if types[t][0] == 'opaque':
        return types[t][1], 1
    if types[t][0] == 'vlen':
        return 16, 8
    end, widest = 0, 1
    for _, field_type, shape in types[t][1]:
        size, align = layout(field_type, types)
        size += -size % align
        for length in shape:
            size *= length
        end += -end % align + size
        widest = max(widest, align)
    return end, widest


def attrs(r, owner, types, classic, out, tps):
    for i in range(r.choice([0, 0, 1, 2, 3])):
        n = name(r, i, 'att')
        k = r.randrange(5)
        if k == 0 or k == 1:
            out.append('\t\t%s:%s = %s ;' % (owner, n, text(r)))
        elif k == 2 and (not classic) and types and (r.random() < 0.6):
            t = r.choice(sorted(types))
            out.append('\t\t%s %s:%s = %s ;' % (t, owner, n, ', '.join((value(r, t, types) for _ in range(r.randint(1, 2))))))
        elif k == 3 and (not classic):
            out.append('\t\tstring %s:%s = %s ;' % (owner, n, ', '.join((text(r) for _ in range(r.randint(1, 3))))))
        else:
            t = r.choice([x for x in tps if x not in ('char', 'string')])
            out.append('\t\t%s:%s = %s ;' % (owner, n, ', '.join((num(r, t, True) for _ in range(r.randint(1, 9))))))


def group(r, depth, classic, cdf5, tps, scope, types, out, ind, counter):
    types = dict(types)
    dims = []
    if not classic and r.random() < 0.5:
        out.append('types:')
        for i in range(r.randint(1, 3)):
            counter[0] += 1
            n = 't%d' % counter[0]
            k = r.choice(['enum', 'opaque', 'vlen', 'compound'])
            base = [x for x in tps if x not in ('char', 'string', 'float', 'double')]
            if k == 'enum':
                b = r.choice(base[:6])
                ms = ['m%d_%d' % (counter[0], j) for j in range(r.randint(1, 12))]
                lo, hi = LIM[b]
                vals = r.sample(range(max(lo, -100), min(hi, 100)), len(ms))
                out.append('  %s enum %s {%s} ;' % (b, n, ', '.join(('%s = %d' % z for z in zip(ms, vals)))))
                types[n] = (k, ms, b)
            elif k == 'opaque':
                s = r.randint(1, 9)
                out.append('  opaque(%d) %s ;' % (s, n))
                types[n] = (k, s)
            elif k == 'vlen':
                b = r.choice([x for x in tps if x not in ('char',)] + [t for t in types if types[t][0] != 'vlen'])
                out.append('  %s(*) %s ;' % (b, n))
                types[n] = (k, b)
            else:
                fs = []
                for j in range(r.randint(1, 4)):
                    t = r.choice([x for x in tps if x != 'string'] + [t for t in types if types[t][0] in ('enum', 'opaque', 'compound')])
                    fs.append(('f%d' % j, t, r.choice([(), (), (2,), (2, 3)])))
                out.append('  compound %s {' % n)
                for f in fs:
                    out.append('    %s %s%s ;' % (f[1], f[0], '(' + ', '.join(map(str, f[2])) + ')' if f[2] else ''))
                out.append('  }; // %s' % n)
                types[n] = (k, fs)
                size, align = layout(n, types)
                if size % align:
                    counter[1].add('compounds')
    scope = dict(scope)
    nd = r.randint(1, 4) if depth == 0 else r.randrange(3)
    if nd:
        out.append('dimensions:')
    for i in range(nd):
        counter[0] += 1
        n = 'd%d' % counter[0] if r.random() < 0.8 else name(r, counter[0], 'd')
        unl = r.random() < 0.3 and (not classic or not any((u for _, u in scope.values())))
        ln = r.randint(1, 5)
        scope[n] = (ln, unl)
        out.append('\t%s = %s ;' % (n, 'UNLIMITED' if unl else ln))
    vs = []
    body = []
    names = [n for n in scope if r.random() < 0.4 and depth == 0] + [name(r, i, 'v') for i in range(r.randint(0 if depth else 1, 4))]
    for n in dict.fromkeys(names):
        axes = [n] if n in scope and r.random() < 0.8 else r.sample(sorted(scope), min(len(scope), r.randint(0, 3)))
        if classic:
            axes.sort(key=lambda a: not scope[a][1])
        t = r.choice(tps + (sorted(types) if not classic and r.random() < 0.6 else []))
        vs.append((n, t, axes))
        if cdf5 and t in ('int64', 'uint64'):
            counter[1].add('int64')
        if t == 'char' and any(scope[a][1] for a in axes[1:]):
            counter[1].add('characters')
        if t in types and types[t][0] in ('compound', 'vlen') and any(scope[a][1] for a in axes):
            counter[1].add('fill')
        body.append('\t%s %s%s ;' % (t, n, '(' + ', '.join(axes) + ')' if axes else ''))
        attrs(r, n, types, classic, body, tps)
        if t not in types and t not in ('char', 'string') and (r.random() < 0.2):
            body.append('\t\t%s:_FillValue = %s ;' % (n, num(r, t, True)))
        if depth == 0 and (not classic) and axes and (r.random() < 0.2) and (t != 'string') and (t not in types):
            body.append('\t\t%s:_DeflateLevel = %d ;' % (n, r.randint(1, 9)))
            body.append('\t\t%s:_Shuffle = "true" ;' % n)
            body.append('\t\t%s:_ChunkSizes = %s ;' % (n, ', '.join((str(max(1, scope[a][0])) for a in axes))))
        if not classic and r.random() < 0.1 and (t in LIM) and (t not in ('byte', 'ubyte')):
            body.append('\t\t%s:_Endianness = "big" ;' % n)
    if vs:
        out.append('variables:')
    out += body
    ga = []
    attrs(r, '', types, classic, ga, tps)
    out += ga
    data = []
    rows = {}
    for n, t, axes in vs:
        if r.random() < 0.15:
            continue

        def emit(level):
            if level == len(axes):
                return value(r, t, types) if r.random() < 0.9 or t in types else '_'
            ln, unl = scope[axes[level]]
            cnt = ln
            if unl and level == 0:
                cnt = rows.setdefault(axes[level], r.randint(1, 4))
            elif unl:
                cnt = r.randint(1, 3)
            if t == 'char' and level == len(axes) - 1:
                s = '"' + ''.join((r.choice('abc xyz') for _ in range(cnt))) + '"'
            else:
                s = ', '.join((emit(level + 1) for _ in range(cnt)))
            return '{' + s + '}' if unl and level > 0 else s
        data.append(' %s = %s ;' % (n, emit(0)))
    if data and vs:
        out.append('data:')
        out += data
    if not classic and depth < 2:
        for i in range(r.choice([0, 0, 1, 2])):
            out.append('group: g%d {' % i)
            group(r, depth + 1, classic, cdf5, tps, scope, types, out, ind, counter)
            out.append('}')


def make(seed, i):
    r = random.Random('cdl %s %d' % (seed, i))
    classic = r.random() < 0.4
    cdf5 = classic and r.random() < 0.3
    out = []
    counter = [0, set()]
    group(r, 0, classic, cdf5, PR + (NEW[:5] if cdf5 else [] if classic else NEW), {}, {}, out, 0, counter)
    kind = 'nc5' if cdf5 else r.choice(['nc3', 'nc6', 'nc7']) if classic else 'nc4'
    return (kind, 'netcdf r%d {\n' % i + '\n'.join(out) + '\n}\n', ','.join(sorted(counter[1])) or 'none')
if __name__ == '__main__':
    for i in range(int(sys.argv[3])):
        kind, cdl, faults = make(sys.argv[2], i)
        with open(os.path.join(sys.argv[1], 'r%d.cdl' % i), 'w', encoding='utf-8') as file:
            file.write(cdl)
        print('r%d' % i, kind, faults)

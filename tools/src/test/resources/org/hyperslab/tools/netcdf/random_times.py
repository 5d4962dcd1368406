"""Writes a random CDL file with variables of times: random_times.py FILE SEED"""
import random
import sys

r = random.Random("times " + sys.argv[2])
UNITS = ["seconds", "second", "sec", "s", "minutes", "min", "mn", "hours", "hour", "hr", "days", "day", "dy", "weeks", "wk",
         "months", "mo", "seasons", "years", "yr", "fortnights", "m"]
CALENDARS = [None, None, "gregorian", "standard", "proleptic_gregorian", "noleap", "no_leap", "365_day", "all_leap", "366_day",
             "360_day", "julian", "other", "greg"]


def origin():
    year = r.choice([1, 1582, 1583, 1850, 1900, 1970, 1979, 2000, r.randint(1, 2300)])
    date = r.choice(["%d-%d-%d", "%04d-%02d-%02d"]) % (year, r.randint(1, 12), r.randint(1, 28))
    clock = r.choice(["", "", " %d" % r.randint(0, 23), " %02d:%02d" % (r.randint(0, 23), r.randint(0, 59)), " 00:00:00", " 12:30:%02d" % r.randint(0, 59),
                      "T%02d:00:00Z" % r.randint(0, 23), " 06:00:0.0", " 0:0:0 -6:00", " 1:2:3 UTC", " 25:00"])
    return date + clock


def number(kind):
    if kind in ("double", "float"):
        value = r.choice([0.0, 1.0, r.randint(-400, 40000) / 4, r.uniform(-1000, 1000), r.randint(0, 100000) / 86400, -0.5, r.randint(0, 730000)])
        return repr(float(value))
    return str(r.randint(-100, 100) if kind in ("byte", "short") else r.choice([0, 1, r.randint(-100000, 1000000)]))


SUFFIX = {"double": "", "float": "f", "int": "", "short": "s", "byte": "b"}
lines, data, bounded = [], [], r.randrange(10)
for i in range(8):
    kind = r.choice(["double", "double", "float", "int", "short", "byte"])
    count = r.randint(1, 9)
    lines.append("\t%s v%d(d%d) ;" % (kind, i, count))
    lines.append('\t\tv%d:units = "%s since %s" ;' % (i, r.choice(UNITS), origin()))
    calendar = r.choice(CALENDARS)
    if calendar:
        lines.append('\t\tv%d:calendar = "%s" ;' % (i, calendar))
    if i == bounded:
        # ncdump knows the last bounds of a file only, and reads beyond a name that does not end in NUL
        lines.append('\t\tv%d:bounds = "b%d\\000" ;' % (i, i))
        lines.append("\t%s b%d(d%d, d2) ;" % (kind, i, count))
        data.append(" b%d = %s ;" % (i, ", ".join(number(kind) for _ in range(2 * count))))
    if r.random() < 0.6:
        kind2 = r.choice(["double", "float", "int", "short"])
        lines.append("\t\tv%d:range = %s ;" % (i, ", ".join(number(kind2) + SUFFIX[kind2] for _ in range(r.randint(1, 9)))))
    if r.random() < 0.3:
        lines.append("\t\tv%d:_FillValue = 1%s ;" % (i, {"double": ".", "float": ".f", "int": "", "short": "s", "byte": "b"}[kind]))
    data.append(" v%d = %s ;" % (i, ", ".join(number(kind) for _ in range(count))))
with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.write("netcdf t {\ndimensions:\n%s\nvariables:\n%s\ndata:\n%s\n}\n" % (
        "\n".join("\td%d = %d ;" % (n, n) for n in range(1, 10)), "\n".join(lines), "\n".join(data)))

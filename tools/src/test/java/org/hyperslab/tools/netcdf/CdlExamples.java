package org.hyperslab.tools.netcdf;

import java.util.List;

/** Texts that have, together, all that CDL has. */
final class CdlExamples {

  private static final List<String> ENHANCED = List.of("nc4");
  private static final List<String> CLASSIC = List.of("nc3", "nc6", "nc5", "nc7", "nc4");

  private CdlExamples() {}

  /**
   * A text.
   *
   * @param name what it shows
   * @param kinds the kinds of files that can hold it
   * @param cdl the text
   */
  record Example(String name, List<String> kinds, String cdl) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Example classic(String name, String cdl) {
    return new Example(name, CLASSIC, "netcdf a {\n" + cdl + "}\n");
  }

  private static Example enhanced(String name, String cdl) {
    return new Example(name, ENHANCED, "netcdf a {\n" + cdl + "}\n");
  }

  /** A list in braces for each element of the dimensions before an unlimited one. */
  private static Example unlimited(String declaration, String data) {
    return enhanced(
        declaration,
        "dimensions: s = UNLIMITED ; t = UNLIMITED ; x = 2 ;\nvariables: "
            + declaration
            + " ;\ndata: v = "
            + data
            + " ;\n");
  }

  static final List<Example> ALL =
      List.of(
          classic("nothing", ""),
          classic(
              "dimensions",
              """
              dimensions: // of one statement and of several
                x = 2, y = 3 ; z = 1;
                t = UNLIMITED ;
              """),
          classic("a length of 0 is an unlimited dimension", "dimensions: x = 0 ;\n"),
          classic(
              "variables",
              """
              dimensions: x = 2 ; y = 3 ;
              variables:
                byte a ; char b ; short c ; int d, e(x), f(x, y) ; long g ; float h ; real i ;
                double j ;
              data:
                a = -1 ; c = 2 ; d = 3 ; e = 4, 5 ; f = 1, 2, 3, 4, 5, 6 ; g = 7 ; h = 1.5 ;
                i = -2e3 ; j = 1e-300 ;
              """),
          classic(
              "values that are missing",
              """
              dimensions: x = 2 ; y = 3 ; t = UNLIMITED ;
              variables:
                int none(x) ; int few(x, y) ; int gaps(x, y) ; char text(x, y) ; int rows(t, x) ;
                float filled(y) ; filled:_FillValue = -9.f ; char f(y) ; f:_FillValue = "#" ;
              data:
                few = 1 ; gaps = 1, _, 3, _, 5 ; text = "a" ; rows = 1, 2, 3 ; filled = _, 1, -9 ;
                f = "ab" ;
              """),
          classic(
              "numbers of attributes",
              """
              variables:
                int v ;
                v:bytes = 1b, -2B ; v:shorts = 1s, 2S ; v:ints = 1, 2 ; v:longs = 1L, 2l ;
                v:floats = 1.f, 2.5F, .5f, 1e3f ; v:doubles = 1., .5, 1e3, 2.5d ;
                v:mixed = 1, 2.5 ; v:widened = 1b, 2s, 3 ; v:octal = 017 ; v:signs = +1, -1 ;
                :special = NaN, Infinity, -Infinity ; :single = NaNf, Infinityf, -Infinityf ;
                :characters = 'a', 'b' ;
              """),
          enhanced(
              "integers of attributes",
              """
              variables:
                :a = 1ub, 255UB ; :b = 1us, 65535US ; :c = 1u, 4294967295U ; :d = 1ll, -5LL ;
                :e = 1ull, 18446744073709551615ULL ; :f = 3000000000 ; :g = -5000000000 ;
                :h = 1b, 2ub ; :i = 1u, 2 ; :j = 5ull, 3 ; :k = 1, 5000000000 ; :l = 1ub, 300s ;
              """),
          enhanced(
              "types of attributes",
              """
              variables:
                int v ;
                byte v:a = 1 ; ubyte v:b = 200 ; short v:c = 1 ; ushort v:d = 1 ; int v:e = 1.7 ;
                uint v:f = 1 ; int64 v:g = 1 ; uint64 v:h = 1 ; float v:i = 1 ; double v:j = 1 ;
                char v:k = "text" ; string v:l = "one", "two", "" ; int v:m = 0x1f ;
                int :n = 1, 2, 3 ; string :o = "alone" ; string :p = NIL ; char :q = ;
              """),
          classic(
              "texts",
              """
              dimensions: x = 2 ; y = 4 ;
              variables: char v(x, y), w(y), one(x), alone ;
                :plain = "text" ; :empty = "" ; :joined = "a", "b" ; :none = ;
                :escapes = "\\a\\b\\f\\n\\r\\t\\v\\\\\\"\\'\\101\\001 é" ;
              data:
                v = "abcd", "e\\n" ; w = 'a', 'b', 'c' ; one = "x", "y" ; alone = "z" ;
              """),
          classic(
              "names",
              """
              dimensions: a\\ b = 2 ; c.d-e+f@g = 1 ; é = 3 ; \\31st = 1 ;
              variables: int _x(a\\ b) ; int y\\(z\\)(é) ; y\\(z\\):at\\ t = 1 ; int int_ ; int NaN_ ;
              data: _x = 1, 2 ; y\\(z\\) = 3, 4, 5 ;
              """),
          classic(
              "records",
              """
              dimensions: t = UNLIMITED ; x = 2 ; n = 3 ;
              variables: int t(t) ; double v(t, x) ; char c(t, n) ; byte odd(t, n) ; short one(t) ;
              data:
                t = 1, 2, 3 ; v = 1, 2, 3, 4 ; c = "ab", "cde" ; odd = 1, 2, 3, 4 ; one = 1, 2, 3 ;
              """),
          enhanced(
              "types of variables",
              """
              dimensions: x = 2 ;
              variables:
                ubyte a(x) ; ushort b(x) ; uint c(x) ; int64 d(x) ; uint64 e(x) ; string f(x) ;
                string g ;
              data:
                a = 255, 0 ; b = 65535, _ ; c = 4294967295, _ ; d = -9223372036854775807, _ ;
                e = 18446744073709551615, 1 ; f = "one", "tw\\"o" ; g = "é" ;
              """),
          enhanced(
              "enumerations",
              """
              types: byte enum small { a = -1, b = 2 } ; uint64 enum large { c = 0, d = 5 } ;
              dimensions: x = 3 ;
              variables:
                small v(x) ; small v:_FillValue = b ; large w(x) ; small w:att = a, b ;
              data: v = a, b ; w = d, c, d ;
              """),
          enhanced(
              "opaque types",
              """
              types: opaque(4) o ;
              dimensions: x = 3 ;
              variables: o v(x) ; o :att = 0x01020304 ;
              data: v = 0xDEADBEEF, 0x01020304, 0xffffffff ;
              """),
          enhanced(
              "sequences",
              """
              types: int(*) ints ; string(*) texts ; double(*) doubles ;
              dimensions: x = 3 ;
              variables: ints v(x) ; texts w ; ints :att = {1, 2}, {3} ;
              data: v = {1, 2, 3}, {}, {4} ; w = {"a", "bc"} ;
              """),
          enhanced(
              "compounds",
              """
              types:
                compound inner { int a ; float b, c ; } ;
                compound outer { inner i ; short s(2, 2) ; int n(2) ; } ;
                compound texts { char c(2, 4) ; char one ; byte pad(3) ; } ;
              dimensions: x = 2 ;
              variables: outer v(x) ; texts w ; inner :att = {1, 2, 3}, {4, 5, 6} ;
              data:
                v = {{1, 2.5, 3}, {1, 2, 3, 4}, {5, 6}}, {{7, 8, 9}, {5, 6, 7, 8}, {9, 10}} ;
                w = {{"abcd", "ef"}, "g", {1, 2, 3}} ;
              """),
          enhanced(
              "groups",
              """
              types: int enum e { one = 1, two = 2 } ;
              dimensions: x = 2 ; y = 3 ;
              variables: int v(x) ; :at = "root" ;
              data: v = 1, 2 ;
              group: g {
                dimensions: x = 1 ; z = 4 ;
                variables: int v(x, y, z) ; /e w(/y) ; :at = "g" ;
                data: v = 1, 2, 3 ; w = one, two, one ;
                group: h {
                  variables: /e v(y) ; e :typed = two ;
                  data: v = two, one, two ;
                }
              }
              group: i { group: h { variables: float v(x) ; data: v = 5, 6 ; } }
              """),
          unlimited("int v(s, t)", "{1, 2, 3}, {4}, {5, 6}"),
          unlimited("int v(x, t)", "{1}, {2, 3}"),
          unlimited("int v(t, x, s)", "{1, 2}, {3}, {4, 5}, {6}"),
          unlimited("string v(s, t)", "{\"a\"}, {\"b\", \"c\"}"),
          unlimited("int v(s, x, t, x)", "{1, 2, 3, 4}, {5, 6}"),
          enhanced(
              "fill values",
              """
              types: opaque(2) o ; byte enum e { zero = 0, one = 1 } ;
              dimensions: x = 3 ;
              variables:
                ubyte a(x) ; a:_FillValue = 7ub ; int64 b(x) ; b:_FillValue = -7ll ; b:before = 1 ;
                double c(x) ; c:first = 1 ; c:_FillValue = NaN ; string d(x) ;
                e f(x) ; e f:_FillValue = one ; ushort g(x) ; ushort h(x) ;
              data: a = 1, _, 7 ; b = _, 2 ; c = 1, _ ; d = "a" ; f = zero ; g = 1, _ ;
              """));
}

package org.hyperslab.format.type.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Random;
import org.hyperslab.format.type.BitPadding;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.Normalization;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/**
 * Compares conversions between random number layouts with a model in BigInteger. Replay with
 * -Dhyperslab.seed=N.
 */
class ConverterRandomTest {

  private static final int LAYOUTS = 3000;
  private static final int ELEMENTS = 8;

  /** A number: kind, sign, and magnitude = mantissa · 2^exponent. */
  record Model(WideNumber.Kind kind, boolean negative, BigInteger mantissa, int exponent) {}

  @Test
  void convertsAnyLayoutLikeTheModel() {
    long seed = Seeds.draw();
    Random random = new Random(seed);
    for (int i = 0; i < LAYOUTS; i++) {
      Datatype source = randomNumber(random);
      Datatype target = randomNumber(random);
      byte[] from = new byte[ELEMENTS * source.size()];
      random.nextBytes(from);
      if (random.nextInt(3) == 0) {
        Arrays.fill(from, 0, source.size(), (byte) (random.nextBoolean() ? 0 : -1));
      }
      byte[] to = new byte[ELEMENTS * target.size()];
      Converter converter = Converter.between(source, target);
      converter
          .open()
          .convert(MemorySegment.ofArray(from), 0, MemorySegment.ofArray(to), 0, ELEMENTS);
      for (int k = 0; k < ELEMENTS && !converter.isNoOp(); k++) {
        BigInteger bits = element(from, k, source);
        BigInteger actual = element(to, k, target);
        String what =
            "-Dhyperslab.seed="
                + seed
                + " "
                + source
                + " to "
                + target
                + " of "
                + bits.toString(16);
        Model value = read(source, bits);
        if (value.kind() == WideNumber.Kind.NAN && target instanceof FloatType) {
          assertThat(read(target, actual).kind()).as(what).isEqualTo(WideNumber.Kind.NAN);
        } else {
          assertThat(actual.toString(16)).as(what).isEqualTo(write(target, value).toString(16));
        }
      }
    }
  }

  private static Datatype randomNumber(Random random) {
    return random.nextBoolean() ? randomInteger(random) : randomFloat(random);
  }

  private static IntegerType randomInteger(Random random) {
    int size = 1 + random.nextInt(random.nextBoolean() ? 8 : 20);
    int precision = 1 + random.nextInt(Math.min(128, 8 * size));
    if (random.nextInt(3) == 0) {
      precision = Math.min(128, 8 * size);
    }
    int offset = random.nextInt(8 * size - precision + 1);
    return new IntegerType(
        size,
        order(random, false),
        random.nextBoolean(),
        precision,
        offset,
        pad(random),
        pad(random));
  }

  private static FloatType randomFloat(Random random) {
    int size = 1 + random.nextInt(random.nextBoolean() ? 8 : 18);
    int exponent = Math.min(2 + random.nextInt(14), 8 * size - 3);
    int most = Math.min(120, 8 * size - exponent - 1);
    int mantissa = 2 + random.nextInt(most - 1);
    int spare = 8 * size - exponent - mantissa - 1;
    int offset = random.nextInt(spare + 1);
    int gap = random.nextInt(spare - offset + 1);
    int mantissaAt = offset;
    int exponentAt = mantissaAt + mantissa + gap;
    int sign = exponentAt + exponent;
    long bias = random.nextInt(4) == 0 ? random.nextInt(1 << exponent) : (1 << exponent - 1) - 1;
    Normalization normalization =
        random.nextInt(3) == 0 ? Normalization.NONE : Normalization.IMPLIED;
    FloatType.Fields fields =
        new FloatType.Fields(sign, exponentAt, exponent, mantissaAt, mantissa, bias, normalization);
    return new FloatType(
        size,
        order(random, size % 2 == 0),
        sign + 1 - offset,
        offset,
        fields,
        new FloatType.Padding(pad(random), pad(random), pad(random)));
  }

  private static Endian order(Random random, boolean vax) {
    return Endian.values()[random.nextInt(vax ? 3 : 2)];
  }

  private static BitPadding pad(Random random) {
    return random.nextBoolean() ? BitPadding.ONE : BitPadding.ZERO;
  }

  /** The bits of element {@code k} as one number. */
  private static BigInteger element(byte[] bytes, int k, Datatype type) {
    int size = type.size();
    Endian order = type instanceof FloatType f ? f.order() : ((IntegerType) type).order();
    byte[] big = new byte[size];
    for (int i = 0; i < size; i++) {
      int place =
          switch (order) {
            case LITTLE -> size - 1 - i;
            case BIG -> i;
            case VAX -> i ^ 1;
          };
      big[i] = bytes[k * size + place];
    }
    return new BigInteger(1, big);
  }

  private static BigInteger field(BigInteger bits, int position, int length) {
    return bits.shiftRight(position).and(ones(length));
  }

  private static BigInteger ones(int length) {
    return BigInteger.ONE.shiftLeft(length).subtract(BigInteger.ONE);
  }

  private static Model read(Datatype type, BigInteger bits) {
    if (type instanceof IntegerType t) {
      BigInteger value = field(bits, t.offset(), t.precision());
      if (t.signed() && value.testBit(t.precision() - 1)) {
        value = value.subtract(BigInteger.ONE.shiftLeft(t.precision()));
      }
      return new Model(WideNumber.Kind.FINITE, value.signum() < 0, value.abs(), 0);
    }
    FloatType.Fields f = ((FloatType) type).fields();
    boolean negative = bits.testBit(f.signPosition());
    BigInteger mantissa = field(bits, f.mantissaPosition(), f.mantissaSize());
    int stored = field(bits, f.exponentPosition(), f.exponentSize()).intValue();
    boolean implied = f.normalization() == Normalization.IMPLIED;
    int fraction = implied ? f.mantissaSize() : f.mantissaSize() - 1;
    if (stored == (1 << f.exponentSize()) - 1) {
      boolean infinite =
          mantissa.signum() == 0 || !implied && mantissa.equals(BigInteger.ONE.shiftLeft(fraction));
      return new Model(
          infinite ? WideNumber.Kind.INFINITE : WideNumber.Kind.NAN, negative, BigInteger.ZERO, 0);
    }
    if (implied && stored > 0) {
      mantissa = mantissa.setBit(fraction);
    }
    int exponent = Math.max(1, stored) - (int) f.exponentBias() - fraction;
    return new Model(WideNumber.Kind.FINITE, negative, mantissa, exponent);
  }

  private static BigInteger write(Datatype type, Model value) {
    return type instanceof IntegerType t
        ? writeInteger(t, value)
        : writeFloat((FloatType) type, value);
  }

  private static BigInteger writeInteger(IntegerType t, Model value) {
    BigInteger most = ones(t.signed() ? t.precision() - 1 : t.precision());
    BigInteger least = t.signed() ? most.negate().subtract(BigInteger.ONE) : BigInteger.ZERO;
    BigInteger integer =
        switch (value.kind()) {
          case NAN -> BigInteger.ZERO;
          case INFINITE -> value.negative() ? least : most;
          case FINITE -> {
            BigInteger magnitude = value.mantissa().shiftLeft(value.exponent());
            yield (value.negative() ? magnitude.negate() : magnitude).min(most).max(least);
          }
        };
    BigInteger bits = integer.and(ones(t.precision())).shiftLeft(t.offset());
    if (t.lowPadding() == BitPadding.ONE) {
      bits = bits.or(ones(t.offset()));
    }
    if (t.highPadding() == BitPadding.ONE) {
      int top = t.offset() + t.precision();
      bits = bits.or(ones(8 * t.size() - top).shiftLeft(top));
    }
    return bits;
  }

  private static BigInteger writeFloat(FloatType t, Model value) {
    FloatType.Fields f = t.fields();
    boolean implied = f.normalization() == Normalization.IMPLIED;
    int fraction = implied ? f.mantissaSize() : f.mantissaSize() - 1;
    int onesExponent = (1 << f.exponentSize()) - 1;
    BigInteger infinity = implied ? BigInteger.ZERO : BigInteger.ONE.shiftLeft(fraction);
    BigInteger mantissa = infinity;
    int stored = onesExponent;
    if (value.kind() == WideNumber.Kind.FINITE) {
      BigInteger[] rounded = round(value, fraction, f.exponentBias(), onesExponent);
      if (rounded != null) {
        mantissa = rounded[0];
        stored = mantissa.testBit(fraction) ? rounded[1].intValue() : 0;
        mantissa = implied ? mantissa.clearBit(fraction) : mantissa;
      }
    }
    BigInteger bits = padding(t);
    bits = replace(bits, f.signPosition(), 1, value.negative() ? BigInteger.ONE : BigInteger.ZERO);
    bits = replace(bits, f.exponentPosition(), f.exponentSize(), BigInteger.valueOf(stored));
    return replace(bits, f.mantissaPosition(), f.mantissaSize(), mantissa);
  }

  /**
   * Mantissa and stored exponent to nearest even; null for more than the greatest finite number.
   */
  private static BigInteger[] round(Model value, int fraction, long bias, int onesExponent) {
    BigInteger m = value.mantissa();
    if (m.signum() == 0) {
      return new BigInteger[] {m, BigInteger.ZERO};
    }
    long stored = Math.max(1, m.bitLength() - 1 + value.exponent() + bias);
    int shift = Math.toIntExact(stored - bias - fraction - value.exponent());
    BigInteger floor = m.shiftRight(shift);
    BigInteger rest = m.subtract(floor.shiftLeft(shift));
    boolean inexact = shift > 0 && rest.signum() != 0;
    boolean most = stored == onesExponent - 1 && floor.equals(ones(fraction + 1));
    if (stored >= onesExponent || most && inexact) {
      return null;
    }
    if (inexact) {
      int half = rest.shiftLeft(1).compareTo(BigInteger.ONE.shiftLeft(shift));
      if (half > 0 || half == 0 && floor.testBit(0)) {
        floor = floor.add(BigInteger.ONE);
      }
    }
    if (floor.bitLength() > fraction + 1) {
      floor = floor.shiftRight(1);
      stored++;
    }
    return new BigInteger[] {floor, BigInteger.valueOf(stored)};
  }

  private static BigInteger padding(FloatType t) {
    int top = t.offset() + t.precision();
    BigInteger bits = BigInteger.ZERO;
    if (t.padding().low() == BitPadding.ONE) {
      bits = bits.or(ones(t.offset()));
    }
    if (t.padding().internal() == BitPadding.ONE) {
      bits = bits.or(ones(t.precision()).shiftLeft(t.offset()));
    }
    if (t.padding().high() == BitPadding.ONE) {
      bits = bits.or(ones(8 * t.size() - top).shiftLeft(top));
    }
    return bits;
  }

  private static BigInteger replace(BigInteger bits, int position, int length, BigInteger value) {
    return bits.andNot(ones(length).shiftLeft(position)).or(value.shiftLeft(position));
  }
}

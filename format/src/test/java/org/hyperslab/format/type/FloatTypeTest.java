package org.hyperslab.format.type;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests which floating-point types hold the values of others. */
final class FloatTypeTest {

  @Test
  void shorterFormatsAreWithinLongerOnes() {
    assertThat(Datatypes.F16LE.isWithin(Datatypes.F32LE)).isTrue();
    assertThat(Datatypes.BF16BE.isWithin(Datatypes.F32LE)).isTrue();
    assertThat(Datatypes.F8E4M3.isWithin(Datatypes.F32LE)).isTrue();
    assertThat(Datatypes.F32BE.isWithin(Datatypes.F32LE)).isTrue();
    assertThat(Datatypes.F32LE.isWithin(Datatypes.F64LE)).isTrue();
    assertThat(Datatypes.VAX_F32.isWithin(Datatypes.F64LE)).isTrue();
    assertThat(Datatypes.F64LE.isWithin(Datatypes.F128LE)).isTrue();
  }

  @Test
  void longerFormatsAreNotWithinShorterOnes() {
    assertThat(Datatypes.F64LE.isWithin(Datatypes.F32LE)).isFalse();
    assertThat(Datatypes.BF16LE.isWithin(Datatypes.F16LE)).isFalse();
    assertThat(Datatypes.X87_LONG_DOUBLE.isWithin(Datatypes.F64LE)).isFalse();
    assertThat(Datatypes.F128BE.isWithin(Datatypes.F64LE)).isFalse();
  }

  /** The fields of a VAX float and of a float with another bias are as long as those of IEEE's. */
  @Test
  void theBiasCounts() {
    assertThat(Datatypes.VAX_F32.isWithin(Datatypes.F32LE)).isFalse();
    assertThat(biased(126).isWithin(Datatypes.F32LE)).isFalse();
    assertThat(biased(127).isWithin(Datatypes.F32LE)).isTrue();
    assertThat(biased(128).isWithin(Datatypes.F32LE)).isFalse();
  }

  private static FloatType biased(long bias) {
    FloatType.Fields f = Datatypes.F32LE.fields();
    FloatType.Fields fields =
        new FloatType.Fields(
            f.signPosition(),
            f.exponentPosition(),
            f.exponentSize(),
            f.mantissaPosition(),
            f.mantissaSize(),
            bias,
            f.normalization());
    return new FloatType(4, Endian.LITTLE, 32, 0, fields, FloatType.Padding.ZEROS);
  }
}

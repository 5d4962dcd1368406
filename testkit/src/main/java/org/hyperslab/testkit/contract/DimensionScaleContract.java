package org.hyperslab.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.hyperslab.Dataset;
import org.hyperslab.DimensionScales;
import org.hyperslab.DimensionScales.Attachment;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.vol.Capability;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests dimension scales. */
abstract class DimensionScaleContract extends ContractBase {

  private Dataset data;
  private Dataset x;
  private Dataset y;

  DimensionScaleContract() {}

  @BeforeEach
  void createDatasets() {
    requires(Capability.REFERENCES);
    data = file().createDataset("data", new double[3][4]);
    x = file().createDataset("x", new double[] {1, 2, 3, 4});
    y = file().createDataset("y", new double[] {1, 2, 3});
  }

  @Test
  void scaleHasClassAndName() {
    DimensionScales.makeScale(x, "longitude");
    DimensionScales.makeScale(y);
    inBothLives(file -> {
      assertThat(DimensionScales.isScale(file.dataset("x"))).isTrue();
      assertThat(DimensionScales.name(file.dataset("x"))).contains("longitude");
      assertThat(DimensionScales.isScale(file.dataset("y"))).isTrue();
      assertThat(DimensionScales.name(file.dataset("y"))).isEmpty();
      assertThat(DimensionScales.isScale(file.dataset("data"))).isFalse();
      assertThat(file.dataset("x").attribute("CLASS").readString()).isEqualTo("DIMENSION_SCALE");
    });
  }

  @Test
  void attributesOfTheSameNamesAndOtherTypesAreKept() {
    data.setAttribute("DIMENSION_LIST", 5);
    data.setAttribute("DIMENSION_LABELS", new int[] {1, 2});
    x.setAttribute("REFERENCE_LIST", "mine");
    inBothLives(file -> {
      Dataset again = file.dataset("data");
      assertThat(DimensionScales.scaleCount(again, 1)).isZero();
      assertThat(DimensionScales.label(again, 1)).isEmpty();
      assertThatThrownBy(() -> DimensionScales.attach(again, 1, file.dataset("y")))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("DIMENSION_LIST");
      assertThat(again.attribute("DIMENSION_LIST").readInt()).isEqualTo(5);
    });
  }

  @Test
  void attachedScalesAreFound() {
    DimensionScales.makeScale(x, "x");
    DimensionScales.attach(data, 1, x);
    DimensionScales.attach(data, 0, y);
    inBothLives(file -> {
      Dataset again = file.dataset("data");
      assertThat(DimensionScales.scaleCount(again, 0)).isEqualTo(1);
      assertThat(DimensionScales.scales(again, 1).getFirst().isSameAs(file.dataset("x"))).isTrue();
      assertThat(DimensionScales.isAttached(again, 0, file.dataset("y"))).isTrue();
      assertThat(DimensionScales.isAttached(again, 0, file.dataset("x"))).isFalse();
    });
  }

  @Test
  void aDimensionMayHaveSeveralScalesAndAScaleSeveralUsers() {
    Dataset other = file().createDataset("other", new int[3][4]);
    DimensionScales.attach(data, 0, y);
    DimensionScales.attach(data, 0, x);
    DimensionScales.attach(other, 1, x);
    DimensionScales.attach(other, 1, x);
    inBothLives(file -> {
      assertThat(DimensionScales.scaleCount(file.dataset("data"), 0)).isEqualTo(2);
      assertThat(DimensionScales.scaleCount(file.dataset("other"), 1)).isEqualTo(1);
      assertThat(file.dataset("x").attribute("REFERENCE_LIST").shape()).containsExactly(2);
    });
  }

  @Test
  void manyScalesAreAttachedAsOneByOne() {
    Dataset other = file().createDataset("other", new int[3]);
    DimensionScales.attachAll(
        List.of(
            new Attachment(data, 0, y), new Attachment(data, 1, x), new Attachment(other, 0, y)));
    DimensionScales.attachAll(List.of(new Attachment(data, 0, y)));
    inBothLives(file -> {
      assertThat(DimensionScales.isAttached(file.dataset("data"), 1, file.dataset("x"))).isTrue();
      assertThat(DimensionScales.scaleCount(file.dataset("data"), 0)).isEqualTo(1);
      assertThat(DimensionScales.isAttached(file.dataset("other"), 0, file.dataset("y"))).isTrue();
      assertThat(file.dataset("y").attribute("REFERENCE_LIST").shape()).containsExactly(2);
    });
  }

  @Test
  void anotherDatasetTakesAScalesPlaces() {
    Dataset other = file().createDataset("other", new int[3]);
    Dataset instead = file().createDataset("instead", new int[3]);
    DimensionScales.makeScale(y, "y");
    DimensionScales.attachAll(List.of(new Attachment(data, 0, y), new Attachment(other, 0, y)));
    DimensionScales.replace(y, instead);
    inBothLives(file -> {
      assertThat(DimensionScales.isScale(file.dataset("y"))).isFalse();
      assertThat(file.dataset("y").attributeCount()).isZero();
      for (String user : List.of("data", "other")) {
        assertThat(DimensionScales.isAttached(file.dataset(user), 0, file.dataset("instead")))
            .isTrue();
        assertThat(DimensionScales.scaleCount(file.dataset(user), 0)).isEqualTo(1);
      }
      assertThat(file.dataset("instead").attribute("REFERENCE_LIST").shape()).containsExactly(2);
    });
  }

  @Test
  void allScalesOfADatasetAreDetached() {
    DimensionScales.attachAll(
        List.of(
            new Attachment(data, 0, y), new Attachment(data, 1, x), new Attachment(data, 1, y)));
    DimensionScales.detachAll(data);
    DimensionScales.detachAll(data);
    inBothLives(file -> {
      assertThat(file.dataset("data").attributeCount()).isZero();
      assertThat(file.dataset("x").hasAttribute("REFERENCE_LIST")).isFalse();
      assertThat(file.dataset("y").hasAttribute("REFERENCE_LIST")).isFalse();
    });
  }

  @Test
  void detachedScalesAreNotListed() {
    DimensionScales.attach(data, 1, x);
    DimensionScales.attach(data, 0, y);
    DimensionScales.detach(data, 1, x);
    inBothLives(file -> {
      assertThat(DimensionScales.scaleCount(file.dataset("data"), 1)).isZero();
      assertThat(DimensionScales.scaleCount(file.dataset("data"), 0)).isEqualTo(1);
      assertThat(file.dataset("x").hasAttribute("REFERENCE_LIST")).isFalse();
    });
    reopenForEdit();
    DimensionScales.detach(file().dataset("data"), 0, file().dataset("y"));
    assertThat(file().dataset("data").hasAttribute("DIMENSION_LIST")).isFalse();
  }

  @Test
  void labelsAreKept() {
    DimensionScales.setLabel(data, 1, "x axis");
    inBothLives(file -> {
      assertThat(DimensionScales.label(file.dataset("data"), 1)).contains("x axis");
      assertThat(DimensionScales.label(file.dataset("data"), 0)).isEmpty();
    });
  }

  @Test
  void wrongUseIsNamed() {
    DimensionScales.attach(data, 0, y);
    fails(InvalidUseException.class, () -> DimensionScales.attach(data, 2, x), "2");
    fails(InvalidUseException.class, () -> DimensionScales.attach(data, -1, x), "-1");
    fails(InvalidUseException.class, () -> DimensionScales.attach(y, 0, x), "scale");
    fails(InvalidUseException.class, () -> DimensionScales.attach(x, 0, data), "scale");
    fails(InvalidUseException.class, () -> DimensionScales.attach(x, 0, x), "scale");
    fails(InvalidUseException.class, () -> DimensionScales.makeScale(data), "scale");
    fails(InvalidUseException.class, () -> DimensionScales.detach(data, 1, y), "attached");
  }
}

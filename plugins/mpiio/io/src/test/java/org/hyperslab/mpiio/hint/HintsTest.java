package org.hyperslab.mpiio.hint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.hyperslab.error.InvalidUseException;
import org.junit.jupiter.api.Test;

class HintsTest {

  @Test
  void defaultsEqualThoseOfRomio() {
    assertThat(Hints.defaults().toMap())
        .containsEntry("cb_buffer_size", "16777216")
        .containsEntry("ind_rd_buffer_size", "4194304")
        .containsEntry("ind_wr_buffer_size", "524288")
        .containsEntry("romio_cb_write", "automatic")
        .containsEntry("romio_no_indep_rw", "false")
        .doesNotContainKey("cb_nodes");
  }

  @Test
  void parsesPairsAndKeepsUnknownKeys() {
    Hints hints = Hints.parse("cb_nodes=3;romio_ds_write=disable my_key=7");
    assertThat(hints.buffering().nodes()).isEqualTo(3);
    assertThat(hints.sieving().write()).isEqualTo(Toggle.DISABLE);
    assertThat(hints.others()).containsExactly(Map.entry("my_key", "7"));
    assertThat(hints.toMap()).containsEntry("my_key", "7").containsEntry("cb_nodes", "3");
  }

  @Test
  void parsesTheOutputOfToMap() {
    Hints hints =
        Hints.parse("cb_nodes=3 romio_ds_write=disable striping_unit=4096 hyperslab_block=12 a=b");
    assertThat(Hints.of(hints.toMap())).isEqualTo(hints);
  }

  @Test
  void commasSeparateOnlyBeforeAKey() {
    assertThat(Hints.pairs(" a=1,b=2, c=3 ,d=4;e=5,,f=6, ;"))
        .containsExactly(
            Map.entry("a", "1"),
            Map.entry("b", "2"),
            Map.entry("c", "3"),
            Map.entry("d", "4"),
            Map.entry("e", "5"),
            Map.entry("f", "6"));
    assertThat(Hints.parse("cb_nodes=2,cb_config_list=one:2,two:1,*:*,cb_buffer_size=8").toMap())
        .containsEntry("cb_config_list", "one:2,two:1,*:*")
        .containsEntry("cb_nodes", "2")
        .containsEntry("cb_buffer_size", "8");
    assertThatThrownBy(() -> Hints.parse("cb_nodes=2,three"))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("cb_nodes=2,three");
  }

  @Test
  void rejectsInvalidValues() {
    assertThatThrownBy(() -> Hints.parse("cb_buffer_size=0"))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("cb_buffer_size=0");
    assertThatThrownBy(() -> Hints.parse("cb_nodes=many")).isInstanceOf(InvalidUseException.class);
    assertThatThrownBy(() -> Hints.parse("romio_cb_read=perhaps"))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("automatic, enable or disable");
    for (String wrong :
        new String[] {
          "access_style=hasty",
          "file_perm=rw",
          "cb_config_list=a:b",
          "hyperslab_messages=some",
          "hyperslab_requests=aio"
        }) {
      assertThatThrownBy(() -> Hints.parse(wrong))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("actual=" + wrong + ", expected=");
    }
    assertThatThrownBy(() -> Hints.parse("cb_nodes")).isInstanceOf(InvalidUseException.class);
  }

  @Test
  void countsBeyondAnIntAreTheGreatestCount() {
    for (String count : List.of("2147483648", "4294967297")) {
      Hints hints =
          Hints.parse("cb_nodes=%1$s striping_factor=%1$s hyperslab_group=%1$s".formatted(count));
      assertThat(hints.buffering().nodes()).isEqualTo(Integer.MAX_VALUE);
      assertThat(hints.striping().factor()).isEqualTo(Integer.MAX_VALUE);
      assertThat(hints.variant().groupRanks()).isEqualTo(Integer.MAX_VALUE);
    }
  }
}

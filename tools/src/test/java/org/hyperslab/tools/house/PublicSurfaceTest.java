package org.hyperslab.tools.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests which changes {@link PublicSurface} finds incompatible. */
final class PublicSurfaceTest {

  private static final Map<String, Set<String>> BEFORE =
      Map.of("public interface Store", Set.of("public abstract long size()"));

  @Test
  void permitsWhatIsAdded() {
    assertThat(
            PublicSurface.problems(
                BEFORE,
                Map.of(
                    "public interface Store",
                    Set.of("public abstract long size()", "public default boolean isEmpty()"),
                    "public class Another",
                    Set.of("public Another()"))))
        .isEmpty();
  }

  @Test
  void findsTypesThatAreGone() {
    assertThat(PublicSurface.problems(BEFORE, Map.of()))
        .containsExactly("gone or changed: public interface Store");
  }

  @Test
  void findsMembersThatChanged() {
    assertThat(
            PublicSurface.problems(
                BEFORE, Map.of("public interface Store", Set.of("public default int size()"))))
        .containsExactly("gone or changed: public interface Store: public abstract long size()");
  }

  @Test
  void findsMethodsThatImplementationsLack() {
    assertThat(
            PublicSurface.problems(
                BEFORE,
                Map.of(
                    "public interface Store",
                    Set.of("public abstract long size()", "public abstract void force()"))))
        .containsExactly("without a default: public interface Store: public abstract void force()");
  }
}

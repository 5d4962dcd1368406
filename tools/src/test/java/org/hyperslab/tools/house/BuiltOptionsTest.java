package org.hyperslab.tools.house;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.hyperslab.H5File;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.options.FileKind;
import org.hyperslab.convert.options.TableOptions;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.FollowOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.StepOptions;
import org.hyperslab.mpi.Abi;
import org.hyperslab.mpi.MpiOptions;
import org.hyperslab.mpiio.declared.DeclaredWrites;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.netcdf.VariableOptions;
import org.hyperslab.netcdf.cdl.CdlOptions;
import org.hyperslab.plugins.compacting.options.CompactorOptions;
import org.hyperslab.plugins.compacting.options.GatherPolicy;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.Security;
import org.hyperslab.plugins.forwarding.server.ServerOptions;
import org.hyperslab.plugins.mpiio.MpiioOptions;
import org.hyperslab.testkit.OptionRules;
import org.hyperslab.testkit.fuzz.FuzzOptions;
import org.hyperslab.web.options.WebOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that options of all modules are built, compared and printed in one way. */
final class BuiltOptionsTest {

  static Stream<Object> options() {
    return Stream.of(
        CompactorOptions.DEFAULT,
        ConversionOptions.DEFAULT,
        TableOptions.DEFAULT,
        MpiOptions.DEFAULT,
        MpiioOptions.DEFAULT,
        VariableOptions.DEFAULT,
        WebOptions.DEFAULT,
        ServerOptions.of(new Address.Tcp("localhost", 7000), Path.of("data")),
        FuzzOptions.builder().build(),
        CdlOptions.all("name"),
        FollowOptions.DEFAULT,
        StepOptions.DEFAULT,
        DeclaredWrites.Options.builder().build());
  }

  @ParameterizedTest
  @MethodSource("options")
  void everyOptionCanBeSetAndIsPrintedAndCompared(Object options) throws Exception {
    OptionRules.require(options, BuiltOptionsTest::other);
  }

  /** Returns another value for an option, which no check refuses. */
  private static Object other(String name, Object value) {
    return switch (value) {
      case Boolean on -> !on;
      case Integer number -> number + 1;
      case Long number -> number + 1;
      case String text -> text + "other";
      case Path path -> path.resolve("other");
      case Duration time -> time.plusSeconds(1);
      case InetSocketAddress _ -> new InetSocketAddress("127.0.0.1", 8080);
      case Address _ -> new Address.Tcp("localhost", 7001);
      case System.Logger _ -> System.getLogger("org.hyperslab.other");
      case Hints hints -> hints.with(Map.of("cb_nodes", "3"));
      case GatherPolicy _ -> new GatherPolicy(3, 5);
      case CompactorOptions compactor -> compactor.withEnabled(false);
      case TableOptions table -> table.toBuilder().missing(Optional.of("-9")).build();
      case WebOptions.Access _ -> new WebOptions.Access.Everybody();
      case WebOptions.Limits _ -> new WebOptions.Limits(5, 6);
      case Set<?> _ -> Set.of("data");
      case List<?> _ -> list(name);
      case Optional<?> _ -> Optional.of(given(name));
      case Enum<?> constant ->
          Arrays.stream(constant.getDeclaringClass().getEnumConstants())
              .filter(each -> each != constant)
              .findFirst()
              .orElseThrow();
      case UnaryOperator<?> _ -> (UnaryOperator<ByteStore>) store -> store;
      case BiFunction<?, ?, ?> _ -> (BiFunction<String, OpenOptions, H5File>) (_, _) -> null;
      default -> throw new AssertionError("no other value of " + value.getClass());
    };
  }

  private static List<?> list(String name) {
    return switch (name) {
      case "chunks" -> List.of(3L);
      case "filters" -> List.of(FilterSpec.deflate(3));
      case "seeds" -> List.of(Path.of("seed"));
      case "peers" -> List.of(new Address.Tcp("localhost", 7002));
      default -> List.of("other");
    };
  }

  private static Object given(String name) {
    return switch (name) {
      case "from", "to" -> FileKind.RAW;
      case "deflate" -> 5;
      case "delimiter" -> "tab";
      case "header" -> "no";
      case "unitsRow" -> true;
      case "encoding" -> "latin1";
      case "shortRows" -> "fill";
      case "abi" -> Abi.values()[0];
      case "security" -> new Security(Path.of("c"), Path.of("k"), Path.of("t"));
      default -> "other";
    };
  }

  @Test
  void serverNeedsAnAddressAndAFolder() {
    assertThatThrownBy(() -> ServerOptions.builder().root(Path.of("data")).build())
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("address null");
  }

  @Test
  void aFillValueContradictsElementsLeftUndefined() {
    assertThatThrownBy(() -> VariableOptions.builder().fill(Optional.of(1)).noFill(true).build())
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("fill");
  }
}

package org.hyperslab.plugins.configured;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.Layout;
import org.hyperslab.plugins.configured.rule.ChunkSetting;
import org.hyperslab.plugins.configured.rule.DatasetRule;
import org.hyperslab.plugins.configured.rule.FileRule;
import org.hyperslab.plugins.configured.rule.FilterSetting;
import org.hyperslab.plugins.configured.rule.GroupRule;

/**
 * Decides what holds for a group or a dataset that is created, and for transfers.
 *
 * <p>Thread rule: no state.
 */
final class ObjectChoices {

  private ObjectChoices() {}

  /** Decides the options with which a group is created. */
  static Applied<GroupOptions> group(String path, List<FileRule> rules, GroupOptions program) {
    Choices choices = new Choices(path);
    GroupOptions.Builder builder = program.toBuilder();
    for (FileRule file : rules) {
      for (GroupRule rule : file.groups()) {
        if (rule.holdsFor(path)) {
          choices.apply(rule.settings(), file.force(), program, builder);
        }
      }
    }
    return new Applied<>(builder.build(), choices.decisions());
  }

  /** Decides the options with which a dataset is created. */
  static Applied<DatasetOptions> dataset(
      String path, List<FileRule> rules, Datatype type, Dataspace space, DatasetOptions program) {
    Choices choices = new Choices(path);
    DatasetOptions.Builder builder = program.toBuilder();
    for (FileRule file : rules) {
      for (DatasetRule rule : file.datasets()) {
        if (rule.holdsFor(path, space.rank(), Dataspace.bytes(type.size(), space.elementCount()))) {
          choices.apply(rule.settings(), file.force(), program, builder);
          rule.chunks().ifPresent(set -> chunks(choices, file, set, type, space, program, builder));
          rule.filters()
              .ifPresent(set -> filters(choices, file, set, type, space, program, builder));
        }
      }
    }
    return new Applied<>(completed(program, builder.build()), choices.decisions());
  }

  private static void chunks(
      Choices choices,
      FileRule file,
      ChunkSetting setting,
      Datatype type,
      Dataspace space,
      DatasetOptions program,
      DatasetOptions.Builder builder) {
    String key = "chunks";
    if (!mayBeChunked(space, program.layout())) {
      choices.inapplicable(key, "not for " + described(space, program.layout()), setting.place());
      return;
    }
    boolean isChosen = program.layout() instanceof Layout.Chunked;
    if (isChosen && !file.force()) {
      choices.holds(key, setting.toString(), setting.place(), false, true);
      return;
    }
    Layout layout = setting.layout(choices.object(), space, type.size());
    if (choices.holds(key, shown(setting, layout), setting.place(), true, isChosen)) {
      builder.layout(layout);
    }
  }

  private static String shown(ChunkSetting setting, Layout layout) {
    String result = layout instanceof Layout.Chunked chunked ? chunked.dims().toString() : "";
    return setting.toString().equals(result) ? result : setting + ", here " + result;
  }

  private static void filters(
      Choices choices,
      FileRule file,
      FilterSetting setting,
      Datatype type,
      Dataspace space,
      DatasetOptions program,
      DatasetOptions.Builder builder) {
    String key = "filters";
    if (!mayBeChunked(space, program.layout())) {
      choices.inapplicable(key, "not for " + described(space, program.layout()), setting.place());
    } else if (type instanceof VlenType || type instanceof VlenStringType) {
      choices.inapplicable(
          key, "not for elements of variable length, which lie outside chunks", setting.place());
    } else if (choices.holds(
        key, setting.text(), setting.place(), file.force(), !program.filters().isEmpty())) {
      builder.filters(setting.filters());
    }
  }

  /** Returns whether chunks are possible: what the program asks for beside them are no defaults. */
  private static boolean mayBeChunked(Dataspace space, Layout layout) {
    return space.kind() == Dataspace.Kind.SIMPLE
        && (layout instanceof Layout.Auto
            || layout instanceof Layout.Contiguous
            || layout instanceof Layout.Chunked);
  }

  private static String described(Dataspace space, Layout layout) {
    return switch (layout) {
      case Layout.Compact compact -> "compact storage";
      case Layout.External external -> "external raw files";
      case Layout.Virtual virtual -> "virtual datasets";
      default -> space + ", which has no dimensions";
    };
  }

  /**
   * Gives filtered datasets chunks, and chunked ones the time of allocation of chunks: contiguous
   * and late are only the defaults of HDF5, which its programs state without choosing them.
   */
  private static DatasetOptions completed(DatasetOptions program, DatasetOptions decided) {
    DatasetOptions.Builder builder = decided.toBuilder();
    if (!decided.filters().isEmpty() && decided.layout() instanceof Layout.Contiguous) {
      builder.layout(new Layout.Auto());
    }
    DatasetOptions complete = builder.build();
    boolean isDivided =
        program.layout() instanceof Layout.Contiguous
            && !(complete.layout() instanceof Layout.Contiguous);
    return isDivided && complete.allocationTime() == AllocationTime.LATE
        ? complete.toBuilder().allocationTime(AllocationTime.DEFAULT).build()
        : complete;
  }

  /** Decides the properties of transfers of a dataset; the first of a name counts. */
  static TransferChoice transfer(String path, List<FileRule> rules) {
    Map<String, String> usual = new LinkedHashMap<>();
    Map<String, String> forced = new LinkedHashMap<>();
    for (FileRule file : rules) {
      for (DatasetRule rule : file.datasets()) {
        if (rule.matches(path)) {
          rule.transfer()
              .forEach((key, set) -> {
                if (!usual.containsKey(key) && !forced.containsKey(key)) {
                  (file.force() ? forced : usual).put(key, set);
                }
              });
        }
      }
    }
    return new TransferChoice(usual, forced);
  }
}

package org.hyperslab.plugins.codec;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.model.StepPage;
import org.hyperslab.model.StepProgress;
import org.hyperslab.plugins.codec.proto.Messages;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.StepOperation;
import org.hyperslab.vol.StepTable;

/**
 * Messages of operations on steps, and of their results. Thread rule: stateless.
 *
 * <p>Numbers of rows are sent one after another, as many for each step as the table has columns.
 */
final class StepMessages {

  private StepMessages() {}

  static Messages.StepStart start(StepOperation.Start start) {
    Messages.StepStart.Builder out = Messages.StepStart.newBuilder().setFile(start.file().id());
    start.datasets().forEach(path -> out.addDatasets(TextFields.bytes(path)));
    return out.build();
  }

  static StepOperation.Start start(Handle file, Messages.StepStart message) {
    return new StepOperation.Start(
        file, message.getDatasetsList().stream().map(TextFields::text).toList());
  }

  static Messages.StepPublication publication(StepOperation.Publish publish) {
    Messages.StepPublication.Builder out =
        Messages.StepPublication.newBuilder()
            .setFile(publish.file().id())
            .setFirst(publish.first())
            .setColumns(columns(publish.rows()))
            .setLast(publish.last());
    publish.rows().forEach(out::addAllRows);
    return out.build();
  }

  static StepOperation.Publish publication(Handle file, Messages.StepPublication message) {
    List<List<Long>> rows = rows(message.getColumns(), message.getRowsList());
    return new StepOperation.Publish(
        file, known(message.getFirst(), "first"), rows, message.getLast());
  }

  static Messages.StepRequest request(StepOperation.Next next) {
    return Messages.StepRequest.newBuilder()
        .setFile(next.file().id())
        .setFollower(next.follower())
        .setNext(next.next())
        .setMost(next.most())
        .setWindow(next.window())
        .setWaitMillis(next.waitMillis())
        .build();
  }

  static StepOperation.Next request(Handle file, Messages.StepRequest message) {
    int most = message.getMost();
    if (most < 0) {
      throw MalformedMessage.of("steps", "most actual=" + most + ", expected=below 2^31");
    }
    return new StepOperation.Next(
        file,
        message.getFollower(),
        known(message.getNext(), "next"),
        most,
        known(message.getWindow(), "window"),
        known(message.getWaitMillis(), "wait"));
  }

  static Messages.StepRequest request(StepOperation.Leave leave) {
    return Messages.StepRequest.newBuilder()
        .setFile(leave.file().id())
        .setFollower(leave.follower())
        .build();
  }

  static Messages.StepProgressMessage progress(StepProgress progress) {
    return Messages.StepProgressMessage.newBuilder()
        .setPublished(progress.published())
        .setAllowed(progress.allowed())
        .build();
  }

  static StepProgress progress(Messages.StepProgressMessage message) {
    return new StepProgress(message.getPublished(), message.getAllowed());
  }

  static Messages.StepPageMessage page(StepPage page) {
    Messages.StepPageMessage.Builder out =
        Messages.StepPageMessage.newBuilder()
            .setFirst(page.first())
            .setPublished(page.published())
            .setWriter(WireNumbers.STEP_WRITER.of(page.writer()))
            .setColumns(columns(page.rows()));
    page.rows().forEach(out::addAllRows);
    return out.build();
  }

  static StepPage page(Messages.StepPageMessage message) {
    return new StepPage(
        message.getFirst(),
        message.getPublished(),
        WireNumbers.STEP_WRITER.constant(message.getWriter()),
        rows(message.getColumns(), message.getRowsList()));
  }

  private static int columns(List<List<Long>> rows) {
    return rows.isEmpty() ? 0 : rows.getFirst().size();
  }

  private static List<List<Long>> rows(int columns, List<Long> all) {
    if (all.isEmpty()) {
      return List.of();
    }
    if (columns < 1 || columns > StepTable.MOST_DATASETS || all.size() % columns != 0) {
      throw MalformedMessage.of(
          "rows of steps",
          "columns actual="
              + columns
              + " with "
              + all.size()
              + " numbers, expected=1 to "
              + StepTable.MOST_DATASETS
              + ", in whole rows");
    }
    List<List<Long>> rows = new ArrayList<>(all.size() / columns);
    for (int i = 0; i < all.size(); i += columns) {
      rows.add(all.subList(i, i + columns));
    }
    return rows;
  }

  private static long known(long number, String what) {
    if (number < 0) {
      throw MalformedMessage.of("steps", what + " actual=" + number + ", expected=below 2^63");
    }
    return number;
  }
}

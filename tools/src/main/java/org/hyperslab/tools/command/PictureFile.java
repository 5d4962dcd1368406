package org.hyperslab.tools.command;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;

/**
 * A file for a picture, whose format is that of its name.
 *
 * @param path the file, replaced if it exists
 * @param format the name of the format in {@link ImageIO}
 */
public record PictureFile(Path path, String format) {

  /** At lower qualities, colours of lines and letters are visible beside them. */
  private static final float JPEG_QUALITY = 0.95f;

  /**
   * {@return the file with a name} Call it before the picture is computed.
   *
   * @param path the file to write
   * @throws InvalidUseException if its name is that of no format that can be written
   */
  public static PictureFile of(Path path) {
    String name = path.getFileName() == null ? "" : path.getFileName().toString();
    String extension = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    boolean hasExtension = name.lastIndexOf('.') >= 0;
    return switch (hasExtension ? extension : "") {
      case "png" -> new PictureFile(path, "png");
      case "jpg", "jpeg" -> new PictureFile(path, "jpeg");
      default ->
          throw new InvalidUseException(
              "format of the picture: actual="
                  + (hasExtension ? "." + extension : "a name without extension")
                  + ", expected=a file name that ends in .png, .jpg or .jpeg, at="
                  + path);
    };
  }

  /**
   * Writes a picture.
   *
   * @param picture the picture
   * @throws NotFoundException if the file's folder does not exist
   * @throws StorageException if the file cannot be written
   */
  public void write(BufferedImage picture) {
    try {
      OutputFile.write(path, written -> encode(picture, written));
    } catch (NoSuchFileException noFolder) {
      throw new NotFoundException(
          "picture: actual=no such folder, expected=a folder to write to, at=" + path, noFolder);
    } catch (IOException e) {
      throw new StorageException(
          "picture: actual=" + e.getMessage() + ", expected=a file that can be written, at=" + path,
          e);
    }
  }

  private void encode(BufferedImage picture, Path written) throws IOException {
    // ImageIO would print the exception of a file that cannot be opened.
    try (OutputStream file = Files.newOutputStream(written);
        ImageOutputStream out = ImageIO.createImageOutputStream(file)) {
      encode(picture, out);
    }
  }

  private void encode(BufferedImage picture, ImageOutputStream out) throws IOException {
    ImageWriter writer = ImageIO.getImageWritersByFormatName(format).next();
    try {
      writer.setOutput(out);
      ImageWriteParam parameters = writer.getDefaultWriteParam();
      BufferedImage held = picture;
      if (format.equals("jpeg")) {
        parameters.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
        parameters.setCompressionQuality(JPEG_QUALITY);
        held = opaque(picture);
      }
      writer.write(null, new IIOImage(held, null, null), parameters);
    } finally {
      writer.dispose();
    }
  }

  /** Returns a picture on white, because JPEG has no transparency. */
  private static BufferedImage opaque(BufferedImage picture) {
    BufferedImage opaque =
        new BufferedImage(picture.getWidth(), picture.getHeight(), BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = opaque.createGraphics();
    graphics.drawImage(picture, 0, 0, Color.WHITE, null);
    graphics.dispose();
    return opaque;
  }
}

package org.hyperslab.spark.table;

import java.io.Serializable;

/**
 * A dimension of a table in one file.
 *
 * @param name its name
 * @param length its length in elements
 * @param coordinate the path of the dataset with its coordinates; null if it has none
 */
public record Axis(String name, long length, String coordinate) implements Serializable {}

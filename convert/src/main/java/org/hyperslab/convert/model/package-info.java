/**
 * The model between the formats: groups, variables, dimensions and attributes, whose elements are
 * read by blocks. A reader of a format makes it; a writer of a format consumes it.
 */
package org.hyperslab.convert.model;

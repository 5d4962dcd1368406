/**
 * The API of h5grove, by which h5web reads files: what a file has, its elements, its attributes,
 * its paths and statistics.
 */
package org.hyperslab.web.grove;

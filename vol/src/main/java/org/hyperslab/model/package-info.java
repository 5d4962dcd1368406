/**
 * The words that users and connectors share: what an object, a link, a dataset or a file is like,
 * and the options with which they are made. Values only: immutable, without behaviour beyond
 * checks, safe to share between threads and to send over a wire.
 */
package org.hyperslab.model;

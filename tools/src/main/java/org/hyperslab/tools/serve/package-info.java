/** The commands that show files over HTTP: {@code serve}, {@code view}. */
package org.hyperslab.tools.serve;

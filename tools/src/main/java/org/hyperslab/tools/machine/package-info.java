/**
 * The commands that describe machines and find settings for them: {@code place}, {@code tune},
 * {@code simulate}.
 */
package org.hyperslab.tools.machine;

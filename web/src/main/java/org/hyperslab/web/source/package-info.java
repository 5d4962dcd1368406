/** The files that are shown: which names there are, and one open file for all requests that ask. */
package org.hyperslab.web.source;

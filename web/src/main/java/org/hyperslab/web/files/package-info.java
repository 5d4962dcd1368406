/** The names of files, and one open file for all requests that read it. */
package org.hyperslab.web.files;

/** Descriptions of files as JSON, which the web server and the command line share. */
package org.hyperslab.web.json;

/**
 * How ranks keep in step: every collective call is compared before anything is done, an error of
 * one rank becomes an error of all, and what rank 0 found out reaches the others.
 */
package org.hyperslab.plugins.mpiio.agree;

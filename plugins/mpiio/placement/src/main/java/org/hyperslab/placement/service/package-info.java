/** Answers MPI-IO's questions about the machine of a job, from descriptions of machines. */
package org.hyperslab.placement.service;

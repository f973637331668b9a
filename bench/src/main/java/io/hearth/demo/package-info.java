/**
 * The demo: a cluster from nothing, a skewed load from real clients, Hearth at work, and the results.
 * This package touches HBase and HDFS; what is measured, compared and shown is in the pure packages
 * below it.
 */
@NullMarked
package io.hearth.demo;

import org.jspecify.annotations.NullMarked;

/**
 * The demo: a cluster from nothing, a skewed load from real clients, Hearth at work, and a verdict.
 * This package touches HBase and HDFS; what is measured, judged and shown is in the pure packages
 * below it.
 */
package io.hearth.demo;

// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.model;

/** A NameNode of the name service that HBase's files are in. Immutable. */
public record ProbedNameNode(String host, ProbeResult<String> version, ProbeResult<ProcessConfig> settings) {}

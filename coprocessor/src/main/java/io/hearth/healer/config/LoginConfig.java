// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.config;

/**
 * With which keytab and as which Kerberos principal healing speaks to HDFS. {@link LoginSettings} has the keys. Immutable.
 */
public record LoginConfig(String keytabFile, String principal) {}

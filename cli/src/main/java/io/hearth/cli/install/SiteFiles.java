// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.install;

import java.util.Map;
import java.util.Optional;

/**
 * The files of a host that Hearth is to be installed on, as they are now. Immutable.
 *
 * @param hbase the properties of hbase-site.xml
 * @param hdfs the properties of hdfs-site.xml; empty where there is none
 * @param javaVersion the version of the Java that the HMaster is started with, as {@code 17.0.9} or {@code 1.8.0_392}; empty where it can't be told
 * @param javaFrom where that is known from
 */
public record SiteFiles(
        Map<String, String> hbase, Map<String, String> hdfs, Optional<String> javaVersion, String javaFrom) {

    public SiteFiles {
        hbase = Map.copyOf(hbase);
        hdfs = Map.copyOf(hdfs);
    }

    Optional<String> ofHBase(String key) {
        return Optional.ofNullable(hbase.get(key)).map(String::strip).filter(value -> !value.isEmpty());
    }

    Optional<String> ofHdfs(String key) {
        return Optional.ofNullable(hdfs.get(key)).map(String::strip).filter(value -> !value.isEmpty());
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.model;

/** A kind of process, with the file that an operator configures it in. */
public enum Role {
    HMASTER("HMaster", "hbase-site.xml"),
    REGIONSERVER("RegionServer", "hbase-site.xml"),
    NAMENODE("NameNode", "hdfs-site.xml"),
    DATANODE("DataNode", "hdfs-site.xml"),
    HEALER("healer", "hbase-site.xml");

    private final String word;
    private final String file;

    Role(String word, String file) {
        this.word = word;
        this.file = file;
    }

    /** HBase's or HDFS's own word for it. */
    public String word() {
        return word;
    }

    public String file() {
        return file;
    }
}

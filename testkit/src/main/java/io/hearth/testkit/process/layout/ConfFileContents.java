// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process.layout;

import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import java.util.Map;

/** Generates the contents of a process cluster's configuration files. Pure. */
public final class ConfFileContents {

    private static final String GENERATED = "made by bin/hearth cluster start; it goes with the cluster";

    private ConfFileContents() {}

    /** A site file with these lines. */
    public static String site(Map<String, String> lines) {
        StringBuilder text =
                new StringBuilder("<?xml version=\"1.0\"?>\n<!-- " + GENERATED + " -->\n<configuration>\n");
        lines.forEach((key, value) -> text.append("  <property>\n    <name>")
                .append(escaped(key))
                .append("</name>\n    <value>")
                .append(escaped(value))
                .append("</value>\n  </property>\n"));
        return text.append("</configuration>\n").toString();
    }

    /** The file of host names for {@code -Djdk.net.hosts.file}. */
    public static String hosts(ClusterLayout layout) {
        StringBuilder text = new StringBuilder("# " + GENERATED + "\n127.0.0.1 localhost\n");
        for (ClusterHost host : layout.hosts()) {
            text.append(host.address()).append(' ').append(host.name()).append('\n');
        }
        return text.append(layout.clientAddress()).append(" client\n").toString();
    }

    /** The topology script: prints the rack of each host name or address that it is given. */
    public static String topology(ClusterLayout layout) {
        StringBuilder text =
                new StringBuilder("#!/bin/sh\n# " + GENERATED + "\nfor node in \"$@\"; do\n  case $node in\n");
        for (ClusterHost host : layout.workers()) {
            text.append("    " + host.name() + " | " + host.address() + ") echo " + host.rack() + " ;;\n");
        }
        return text.append("    *) echo /default-rack ;;\n  esac\ndone\n").toString();
    }

    /** ZooKeeper's file: one server, and sessions as long as HBase asks for. */
    public static String zookeeper(String address, String dataFolder) {
        return """
                # %s
                tickTime=2000
                dataDir=%s
                clientPort=%d
                clientPortAddress=%s
                maxSessionTimeout=90000
                maxClientCnxns=300
                admin.enableServer=false
                """
                .formatted(GENERATED, dataFolder, DaemonRole.ZOOKEEPER.watchedPort(), address);
    }

    /** The log of each process, in the file that its system property {@code hearth.log} names. */
    public static String log4j() {
        return """
                # %s
                log4j.rootLogger=INFO, FILE
                log4j.appender.FILE=org.apache.log4j.RollingFileAppender
                log4j.appender.FILE.File=${hearth.log}
                log4j.appender.FILE.MaxFileSize=64MB
                log4j.appender.FILE.MaxBackupIndex=2
                log4j.appender.FILE.layout=org.apache.log4j.PatternLayout
                log4j.appender.FILE.layout.ConversionPattern=%%d{ISO8601} %%-5p [%%t] %%c{2}: %%m%%n
                log4j.logger.org.apache.hadoop.hdfs.StateChange=WARN
                log4j.logger.org.apache.hadoop.metrics2=ERROR
                log4j.logger.org.apache.zookeeper=WARN
                log4j.logger.http.requests=WARN
                log4j.logger.BlockStateChange=WARN
                """
                .formatted(GENERATED);
    }

    /** What HDFS and HBase say at /jmx is at most this old: by default it is ten seconds, longer than much that is watched here. */
    public static String metrics() {
        return "# " + GENERATED + "\n*.period=1\n";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}

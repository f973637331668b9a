// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import io.hearth.testkit.embedded.EmbeddedCluster;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * A Kerberos realm in this JVM, with Hadoop's MiniKdc, and what puts an embedded cluster into it. Every server of HDFS and HBase is the
 * user {@code hbase}: in one JVM they share one login.
 */
final class KerberosRealm implements AutoCloseable {

    /** No name of a host here: a socket that HostSocketFactory has bound can't be bound again to the host that a principal names. */
    static final String SERVERS = "hbase/cluster";

    private static final String WEB = "HTTP/localhost";

    private final MiniKdc kdc;
    private final File keytab;

    private KerberosRealm(MiniKdc kdc, File keytab) {
        this.kdc = kdc;
        this.keytab = keytab;
    }

    /** Starts it with the servers' principals and these, all in one keytab, and has this JVM ask for tickets. */
    static KerberosRealm start(Path folder, String... users) throws Exception {
        Properties conf = MiniKdc.createConf();
        // Its library answers a referral, which newer JDKs ask for, as an unknown principal.
        System.setProperty("sun.security.krb5.disableReferrals", "true");
        MiniKdc kdc = new MiniKdc(conf, folder.toFile());
        kdc.start();
        File keytab = folder.resolve("keytab").toFile();
        String[] all = new String[users.length + 2];
        all[0] = SERVERS;
        all[1] = WEB;
        System.arraycopy(users, 0, all, 2, users.length);
        kdc.createPrincipal(keytab, all);
        return new KerberosRealm(kdc, keytab);
    }

    String principal(String name) {
        return name + "@" + kdc.getRealm();
    }

    String keytab() {
        return keytab.getPath();
    }

    /** Logs a user in beside the servers. */
    UserGroupInformation login(String name) throws IOException {
        return UserGroupInformation.loginUserFromKeytabAndReturnUGI(principal(name), keytab());
    }

    /** Logs this JVM in as the servers, for clusters with these lines. */
    void loginServers(Map<String, String> lines) throws IOException {
        Configuration conf = new Configuration();
        lines.forEach(conf::set);
        UserGroupInformation.setConfiguration(conf);
        UserGroupInformation.loginUserFromKeytab(principal(SERVERS), keytab());
    }

    /** The lines of hbase-site.xml and hdfs-site.xml of a secure cluster. */
    Map<String, String> lines() {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("hadoop.security.authentication", "kerberos");
        lines.put("hadoop.security.authorization", "true");
        lines.put("hbase.security.authentication", "kerberos");
        lines.put("hbase.security.authorization", "true");
        for (String server : new String[] {"dfs.namenode", "dfs.datanode", "hbase.master", "hbase.regionserver"}) {
            lines.put(server + ".kerberos.principal", principal(SERVERS));
            lines.put(server + ".keytab.file", keytab());
        }
        lines.put("dfs.web.authentication.kerberos.principal", principal(WEB));
        lines.put("dfs.web.authentication.kerberos.keytab", keytab());
        lines.put("dfs.namenode.kerberos.internal.spnego.principal", principal(WEB));
        lines.put("dfs.block.access.token.enable", "true");
        lines.put("dfs.data.transfer.protection", "authentication");
        // Hadoop asks the first mapping of a JVM, whatever a later configuration names.
        lines.put("hadoop.security.group.mapping", TestGroupMapping.class.getName());
        // DataNodes at ports that are not root's, without TLS.
        lines.put("ignore.secure.ports.for.testing", "true");
        return lines;
    }

    /** A cluster in the realm with Hearth, and these lines besides. */
    EmbeddedCluster start(Map<String, String> more) throws IOException {
        return start(more, EmbeddedCluster.builder());
    }

    /** The same with a second NameNode. */
    EmbeddedCluster startWithStandby(Map<String, String> more) throws IOException {
        return start(more, EmbeddedCluster.builder().standbyNameNode());
    }

    private EmbeddedCluster start(Map<String, String> more, EmbeddedCluster.Builder empty) throws IOException {
        Map<String, String> lines = lines();
        lines.putAll(more);
        loginServers(lines);
        EmbeddedCluster.Builder builder = empty.hosts(4).racks(2).withHearth();
        lines.forEach(builder::property);
        return builder.start();
    }

    @Override
    public void close() {
        kdc.stop();
    }
}

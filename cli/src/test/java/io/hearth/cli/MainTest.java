// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.security.auth.module.Krb5LoginModule;
import io.hearth.slo.store.Limits;
import io.hearth.slo.store.SloStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.PortUnreachableException;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.security.auth.Subject;
import javax.security.auth.login.LoginException;
import javax.security.sasl.SaslException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.ietf.jgss.GSSException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What the command line says before it asks any cluster. */
class MainTest {

    /** The arguments of a line of the examples, of which the shell takes what it redirects. */
    private static final Pattern EXAMPLE = Pattern.compile("  (?:source <\\()?bin/hearth ([^>)]+?)(?: > .*|\\))?");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private int run(String... arguments) {
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "|say what to do: status, top, balancer, healer, doctor, capacity, slo, fleet, install, table, snapshot, ui, completion (bin/hearth --help shows the options)",
                "status --observe-seconds 1| status: --observe-seconds is 1; allowed are 2 to 3600 (bin/hearth status --help shows the options)",
                "status --config /no/such| status: --config is /no/such; it must be a folder with an hbase-site.xml (bin/hearth status --help",
                "status --output xml| status: Invalid value for option '--output': 'xml' is none of table, json, csv",
                "healer status --output csv| healer status: --output is csv, and this command prints no rows; allowed are table and json (bin/hearth healer status --help",
                "healer run --output csv| healer run: --output is csv, and this command prints no rows; allowed are table and json",
                "healer pause --output csv| healer pause: --output is csv, and this command prints no rows; allowed are table and json",
                "balancer mode --output csv| balancer mode: --output is csv, and this command prints no rows",
                "balancer apply pom.xml --output csv| balancer apply: --output is csv, and this command prints no rows",
                "table set t HEARTH_HEAL=on --output csv| table set: --output is csv, and this command prints no rows",
                "top --output json| top: Unknown options: '--output', 'json'",
                "status --jsno| status: Unknown option: '--jsno'",
                "top --every 0| top: --every is 0; allowed are 1 to 3600",
                "top --times -1| top: --times is -1; allowed are 0 (never) and more",
                "balancer| balancer: say what to do: status, plan, apply, mode, pins",
                "slo| slo: say what to do: run, report, servers, rules",
                "slo rules| slo rules: Missing required option: '--objectives=FILE'",
                "slo rules --objectives /dev/null| slo rules: --objectives is /dev/null, which has none",
                "slo rules --objectives /no/such| slo rules: --objectives is /no/such; it must be a file that can be read",
                "slo rules --objectives ../conf/log4j2.properties| slo rules: ../conf/log4j2.properties, line ",
                "slo run --rate 0| slo run: --rate is 0.0; allowed are 0.1 to 100 (bin/hearth slo run --help",
                "slo run --instance a/b| slo run: --instance is a/b; it must be up to 64 letters, digits, dots, underscores and hyphens, a letter or digit first",
                "slo run --instance a --metrics 0| slo run: --metrics is 0; it must be a port, 1 to 65535, or HOST:PORT",
                "slo run --instance a --metrics host| slo run: --metrics is host; it must be a port, 1 to 65535, or HOST:PORT",
                "slo run --instance a --metrics no-such-host.invalid:9469| slo run: --metrics is no-such-host.invalid:9469; no address is known for that host",
                "slo run --instance a --objectives /no/such| slo run: --objectives is /no/such; it must be a file that can be read",
                "slo report --month november| slo report: --month is november; it must be a year and a month, like 2026-10 (bin/hearth slo report --help",
                "slo report --replication 0| slo report: --replication is 0; allowed are 1 to 512 (bin/hearth slo report --help",
                "slo report --output csv| slo report: --output is csv, and this command prints no rows; allowed are table and json",
                "slo servers --hours 0| slo servers: --hours is 0; allowed are 1 to 840 (bin/hearth slo servers --help",
                "slo servers --hours 841| slo servers: --hours is 841; allowed are 1 to 840 (bin/hearth slo servers --help",
                "slo servers --kind gets| slo servers: --kind is gets; allowed are get, put, row-get, hdfs-write, hdfs-read, namenode, registry (bin/hearth slo servers --help",
                "slo servers --folder /no/such| slo servers: no slo run has stored anything in /no/such; --folder names another place",
                "slo report --folder /no/such| slo report: no slo run has stored anything in /no/such; --folder names another place",
                "slo run --instance a --timeline-timeouts 10| slo run: --timeline-timeouts needs --table, which says whose rows are read (bin/hearth slo run --help",
                "slo run --instance a --table t --timeline-timeouts 10,0| slo run: --timeline-timeouts is 10,0; it must be up to 8 times in ms, each from 1 to 9000",
                "slo run --instance a --table t --timeline-timeouts 10,9001| slo run: --timeline-timeouts is 10,9001; it must be up to 8 times in ms, each from 1 to 9000",
                "slo run --instance a --table t --timeline-timeouts 1,2,3,4,5,6,7,8,9| slo run: --timeline-timeouts is 1,2,3,4,5,6,7,8,9; it must be up to 8 times in ms, each from 1 to 9000",
                "slo run --table a/b --instance a| slo run: --table is a/b; it must be the name of a table",
                "slo run --hdfs-folder / --instance a| slo run: --hdfs-folder is /; it must be a folder in HDFS, from its root",
                "fleet| fleet: Missing required option: '--clusters=FILE'",
                "fleet --clusters /no/such| fleet: --clusters is /no/such; it must be a text in UTF-8 that can be read (bin/hearth fleet --help",
                "fleet --clusters /dev/null| fleet: --clusters is /dev/null, which has none",
                "fleet --clusters /dev/null --deadline 0| fleet: --deadline is 0; allowed are 1 to 600",
                "balancer status --observe| balancer status: Unknown option: '--observe'",
                "balancer plan --out /no/such/folder/plan.json| balancer plan: --out is /no/such/folder/plan.json; it must be a file in a folder that exists and can be written to",
                "balancer apply| balancer apply: Missing required parameter: 'FILE'",
                "balancer apply nowhere.json| balancer apply: nowhere.json is no file that can be read",
                "balancer apply pom.xml| balancer apply: pom.xml: it is not what bin/hearth balancer plan --out writes",
                "completion| completion: Missing required parameter: 'SHELL'",
                "completion fish| completion: SHELL is fish; allowed are bash and zsh",
                "install| install: Missing required option: '--check'",
                "install --check --config /no/such| install: --config is /no/such; it must be a folder with an hbase-site.xml",
                "table| table: say what to do: set",
                "table set t| table set: Missing required parameter: 'KEY=VALUE'",
                "table set t HEARTH_HEAL| table set: HEARTH_HEAL is no KEY=VALUE",
                "table set t HEARTH_HAEL=off| table set: HEARTH_HAEL is no setting of a table; there are HEARTH_HEAL, HEARTH_MAX_MOVES_PER_HOUR, HEARTH_READ_WEIGHT, HEARTH_SIZE_WEIGHT, HEARTH_WRITE_WEIGHT",
                "table set t HEARTH_READ_WEIGHT=-1| table set: HEARTH_READ_WEIGHT = '-1' in table t can't be used: it must be a number from 0 to 1000",
                "table set t HEARTH_MAX_MOVES_PER_HOUR=few| table set: HEARTH_MAX_MOVES_PER_HOUR = 'few' in table t can't be used: it must be a whole number from 0 to 1000000, or unlimited",
                "table set t HEARTH_HEAL=yes| table set: HEARTH_HEAL = 'yes' in table t can't be used: it must be on, off or first",
                "healer| healer: say what to do: status, run, daemon, pause, resume",
                "healer pause now| healer pause: Unmatched argument at index 2: 'now'",
                "plan| Unmatched argument at index 0: 'plan'",
                "balancer mode now| balancer mode: MODE is now; allowed are act and advise",
                "balancer mode off| balancer mode: off is set by the key alone: hearth.balancer.mode = off in hbase-site.xml",
                "balancer mode act --jsno| balancer mode: Unknown option: '--jsno'",
                "balancer pins remove| balancer pins remove: Missing required parameter: 'REGION'",
                "balancer pins --config /no/such| balancer pins: --config is /no/such; it must be a folder with an hbase-site.xml",
                "ui --port 70000| ui: --port is 70000; allowed are 0 to 65535",
                "snapshot| snapshot: say what to do: capture",
                "snapshot capture --out /no/such/folder/x.json| snapshot capture: --out is /no/such/folder/x.json; it must be a file in a folder that exists and can be written to",
                "snapshot capture --out target/x --observe-seconds 1| snapshot capture: --observe-seconds is 1; allowed are 4 to 3600",
                "snapshot capture --out target/x --config /no/such| snapshot capture: --config is /no/such; it must be a folder with an hbase-site.xml",
                "healer run --target-locality 1.5| healer run: --target-locality is 1.5; allowed are numbers from 0 to 1",
                "healer run --target-locality NaN| healer run: --target-locality is NaN; allowed are numbers from 0 to 1",
                "healer run --target-locality most| healer run: Invalid value for option '--target-locality': 'most' is not a double",
                "healer run --bandwidth fast| healer run: --bandwidth is fast; allowed are bytes per second like 50MB, 1.5GB or 0",
                "healer run --raise-datanode-bandwidth fast| healer run: --raise-datanode-bandwidth is fast; allowed are bytes per second like 500MB or 1GB",
                "healer run --raise-datanode-bandwidth 0| healer run: --raise-datanode-bandwidth is 0; allowed are bytes per second like 500MB or 1GB",
                "healer run --table a:b:c| healer run: --table is a:b:c, which can't be a table's name: Illegal character code:58, <:> at 1. User-space table qualifiers",
                "healer run --tabel t| healer run: Unknown options: '--tabel', 't'",
                "capacity --servers 10| capacity: --servers is 10; it must be a number with its sign, like +10 (bin/hearth capacity --help shows the options)",
                "capacity --writes 2| capacity: --writes is 2; allowed are 0.01x to 1000x",
                "capacity --writes 0x| capacity: --writes is 0x; allowed are 0.01x to 1000x",
                "capacity --split-at big| capacity: --split-at is big; it must be 1m or more, like 20g",
                "capacity --growth 50g| capacity: --growth is 50g; it must be a size for each day, like 50g/day",
                "capacity --growth 1g/day --earlier x| capacity: --growth says it and --earlier reckons it; leave one of them out",
                "capacity --earlier nowhere.json| capacity: --earlier is nowhere.json, which is no file that can be read",
                "capacity --earlier pom.xml| capacity: --earlier is pom.xml: it is not what --output json prints of a cluster whose HDFS answers",
                "capacity --output csv| capacity: --output is csv, and this command prints no rows; allowed are table and json",
                "capacity --config /no/such| capacity: --config is /no/such; it must be a folder with an hbase-site.xml",
                "doctor now| doctor: Unmatched argument at index 1: 'now'",
                "healer daemon now| healer daemon: Unmatched argument at index 2: 'now'",
                "healer run --config /no/such| healer run: --config is /no/such; it must be a folder with an hbase-site.xml"
            })
    void aWrongArgumentIsOneLine(String arguments, String message) {
        int code = arguments == null ? run() : run(arguments.split(" "));

        assertThat(code).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines()).hasSize(1);
        assertThat(err.toString()).startsWith("hearth").contains(message.strip());
    }

    @Test
    void aHostThatNobodyKnowsIsSaidToBeOne() throws Exception {
        Files.writeString(
                folder.resolve("hbase-site.xml"),
                "<configuration><property><name>hbase.rootdir</name><value>hdfs://no-such-host.invalid:8020/hbase"
                        + "</value></property></configuration>");

        assertThat(run("healer", "run", "--dry-run", "--config", folder.toString()))
                .isEqualTo(4);
        assertThat(err.toString())
                .isEqualTo("hearth healer run: the cluster can't be asked: no address is known for the host"
                        + " no-such-host.invalid" + System.lineSeparator());
    }

    /** ZooKeeper's client would try for 22 s, and name a timeout. */
    @Test
    void statusSaysThatNobodyKnowsTheHostsOfTheQuorum() throws Exception {
        Files.writeString(
                folder.resolve("hbase-site.xml"),
                "<configuration><property><name>hbase.zookeeper.quorum</name><value>zk1.invalid,zk2.invalid:2181"
                        + "</value></property></configuration>");

        assertThat(run("status", "--config", folder.toString())).isEqualTo(4);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString())
                .isEqualTo("hearth status: the cluster can't be asked: no address is known for the host zk1.invalid,"
                        + " zk2.invalid, of hbase.zookeeper.quorum. Ask from a machine that resolves the cluster's names,"
                        + " or add them to /etc/hosts" + System.lineSeparator());
    }

    @Test
    void aClusterWithoutARootFolderInHdfsIsOneLine() throws Exception {
        Path root = Files.createDirectory(folder.resolve("hbase"));
        Files.writeString(
                folder.resolve("hbase-site.xml"),
                "<configuration><property><name>hbase.rootdir</name><value>file://" + root
                        + "</value></property></configuration>");

        assertThat(run("healer", "run", "--dry-run", "--config", folder.toString()))
                .isEqualTo(4);
        assertThat(err.toString())
                .isEqualTo("hearth healer run: the cluster can't be asked: hbase.rootdir is file:" + root
                        + ": healing has to know where in HDFS HBase's files are. Set hbase.rootdir in hbase-site.xml as"
                        + " the HMaster has it, or name the folder with --config.\n");
    }

    /** Hadoop by itself reads core-site.xml of the class path: it would log in without Kerberos, and the servers hang up. */
    @Test
    void withoutATicketThatIsSaidBeforeAClusterWithKerberosIsAsked() throws Exception {
        String kerberos =
                "<configuration><property><name>%s.security.authentication</name><value>kerberos</value></property>"
                        + "<property><name>hbase.zookeeper.quorum</name><value>zk1.invalid</value></property></configuration>";
        Files.writeString(folder.resolve("hbase-site.xml"), kerberos.formatted("hbase"));
        String[] status = {"status", "--config", folder.toString()};
        RealmOfTest realm = new RealmOfTest(folder);
        try {
            assertThat(asNobody(status)).isEqualTo(5);
            assertThat(UserGroupInformation.isSecurityEnabled()).isFalse();
            Files.writeString(folder.resolve("core-site.xml"), kerberos.formatted("hadoop"));
            assertThat(asNobody(status)).isEqualTo(5);
            assertThat(UserGroupInformation.isSecurityEnabled()).isTrue();
        } finally {
            realm.close();
            UserGroupInformation.reset();
        }

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines())
                .containsExactly(
                        "hearth status: hbase.security.authentication is kerberos, and hadoop.security.authentication is not:"
                                + " name a folder with the cluster's core-site.xml",
                        "hearth status: no Kerberos ticket: run kinit");
    }

    /** Whoever runs the tests may have one. */
    private int asNobody(String... arguments) throws Exception {
        return UserGroupInformation.createRemoteUser("nobody")
                .doAs((PrivilegedExceptionAction<Integer>) () -> run(arguments));
    }

    /** What HBase's and Hadoop's clients throw where the login fails when they are asked. */
    @Test
    void aLoginThatFailsIsSaidWhateverItWasFor() {
        Exception ofHBase = new IOException(
                "Call to host1:16000 failed",
                new SaslException(
                        "GSS initiate failed",
                        new GSSException(GSSException.NO_CRED, -1, "Failed to find any Kerberos tgt")));
        Exception ofHdfs = new IOException(
                "Failed on local exception",
                new AccessControlException("Client cannot authenticate via:[TOKEN, KERBEROS]"));
        Exception refused = new IOException(
                "Call to host1:16000 failed",
                new GSSException(GSSException.NO_CRED, -1, "Server not found in Kerberos database (7)"));

        assertThat(Main.problem(ofHBase)).isEqualTo("no Kerberos ticket: run kinit");
        assertThat(Main.problem(ofHdfs)).isEqualTo("no Kerberos ticket: run kinit");
        assertThat(Main.problem(refused))
                .isEqualTo(
                        "the login failed: No valid credentials provided (Mechanism level: Server not found in Kerberos"
                                + " database (7))");
        assertThat(List.of(ofHBase, ofHdfs, refused)).extracting(Main::code).containsOnly(ExitCode.NOT_PERMITTED);
        Exception ofNoKdc = new IOException(
                "Call to host1:16000 failed",
                new GSSException(GSSException.NO_CRED, -1, "Cannot contact any KDC for realm 'EXAMPLE.COM'"));
        assertThat(Main.problem(ofNoKdc))
                .isEqualTo(
                        "the login failed: No valid credentials provided (Mechanism level: Cannot contact any KDC for"
                                + " realm 'EXAMPLE.COM')");
        for (IOException away : List.of(
                new ConnectException("Connection refused"),
                new PortUnreachableException("ICMP Port Unreachable"),
                new SocketTimeoutException("Receive timed out"),
                new UnknownHostException("kdc1"))) {
            Exception login = new SaslException("GSS initiate failed", new LoginException().initCause(away));
            assertThat(Main.code(login))
                    .as("a KDC that may come back: %s", away)
                    .isEqualTo(ExitCode.UNREACHABLE);
        }
        assertThat(Main.code(ofNoKdc)).isEqualTo(ExitCode.UNREACHABLE);
        Exception forbidden = new AccessControlException("Permission denied: user=mallory, access=READ");
        assertThat(Main.code(forbidden)).isEqualTo(ExitCode.UNREACHABLE);
    }

    @Test
    void whatIsWrongWithAFileOfThisMachineIsNoMatterOfTheCluster() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));

        assertThat(run("slo", "run", "--instance", "a", "--config", conf(), "--folder", file.toString()))
                .isEqualTo(2);
        assertThat(err.toString())
                .startsWith("hearth slo run: --folder can't be used: " + file)
                .doesNotContain("cluster")
                .hasLineCount(1);
        assertThat(Main.problem(new NoSuchFileException("/out/plan.json")))
                .isEqualTo("/out/plan.json: there is no such file");
        assertThat(Main.problem(new AccessDeniedException("/out/plan.json")))
                .isEqualTo("/out/plan.json: permission denied");
        assertThat(Main.problem(new FileSystemException("/out/plan.json", null, "No space left on device")))
                .isEqualTo("/out/plan.json: No space left on device");
        assertThat(Main.code(new NoSuchFileException("/out/plan.json"))).isEqualTo(ExitCode.USAGE);
        assertThat(Main.localProblem(new IOException("No space left on device")))
                .isEqualTo("No space left on device");
    }

    /** What the store takes is what the option promises; a host's name that is longer is cut. */
    @Test
    void anInstanceHasUpTo64Characters() throws Exception {
        String longest = "a".repeat(64);
        assertThat(run("slo", "run", "--config", conf(), "--instance", longest + "a"))
                .isEqualTo(2);
        assertThat(err.toString())
                .startsWith("hearth slo run: --instance is " + longest + "a; it must be up to 64 letters, digits, dots,"
                        + " underscores and hyphens, a letter or digit first");
        assertThat(SloRunCommand.instanceOf(longest + ".example.com")).isEqualTo(longest);
        assertThat(SloRunCommand.instanceOf("host1")).isEqualTo("host1");
        SloStore.open(folder, longest, Limits.NONE, problem -> {}).close();
    }

    @Test
    void aPortThatIsTakenIsAWrongArgument() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            String[] slo = {
                "slo", "run", "--instance", "a", "--config", conf(), "--folder", folder.toString(), "--metrics", port
            };

            assertThat(run(slo)).isEqualTo(2);
            assertThat(err.toString())
                    .startsWith("hearth slo run: --metrics is " + port + ", which can't be had: Address already in use")
                    .hasLineCount(1);
            err.getBuffer().setLength(0);
            assertThat(run(slo)).as("it has given its folder back").isEqualTo(2);
            assertThat(err.toString()).startsWith("hearth slo run: --metrics is " + port + ", which can't be had");
        }
    }

    /** A folder with a configuration that says nothing. */
    private String conf() throws IOException {
        Path conf = Files.createDirectories(folder.resolve("conf"));
        Files.writeString(conf.resolve("hbase-site.xml"), "<configuration/>");
        return conf.toString();
    }

    @Test
    void installSaysWhatWouldBeLostAndChangesNothing() throws Exception {
        String site =
                """
                <configuration>
                  <property>
                    <name>hbase.coprocessor.master.classes</name>
                    <value>org.apache.hadoop.hbase.security.access.AccessController</value>
                  </property>
                </configuration>
                """;
        Files.writeString(folder.resolve("hbase-site.xml"), site);
        Path jdk = Files.createDirectory(folder.resolve("jdk"));
        Files.writeString(jdk.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"11.0.21\"\n");
        Files.writeString(
                folder.resolve("hbase-env.sh"), "# export JAVA_HOME=/old\n  export JAVA_HOME=\"" + jdk + "\"\n");

        assertThat(run("install", "--check", "--config", folder.toString())).isEqualTo(1);
        assertThat(out.toString())
                .contains("  before  org.apache.hadoop.hbase.security.access.AccessController\n"
                        + "  after   org.apache.hadoop.hbase.security.access.AccessController,"
                        + "io.hearth.healer.hbase.LocalityHealingObserver,io.hearth.admin.rpc.HearthAdminEndpoint\n"
                        + "  A value of Hearth's alone would lose AccessController.\n")
                .contains("The HMaster's Java is 11.0.21 (JAVA_HOME=" + jdk + " in hbase-env.sh): the jars need 17")
                .contains("    <name>hearth.balancer.mode</name>\n    <value>advise</value>\n")
                .endsWith("Nothing was changed.\n");
        assertThat(folder.resolve("hbase-site.xml")).hasContent(site);

        out.getBuffer().setLength(0);
        assertThat(run("install", "--check", "--output", "csv", "--config", folder.toString()))
                .isEqualTo(1);
        assertThat(out.toString().lines())
                .startsWith("file,key,before,after,done,optional,lostByHearthAlone")
                .contains("hbase-site.xml,hearth.balancer.mode,,advise,false,false,")
                .anyMatch(line -> line.startsWith("hbase-site.xml,hbase.coprocessor.master.classes,"
                        + "org.apache.hadoop.hbase.security.access.AccessController,\"org.apache"));

        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"17.0.9\"\n");
        assertThat(run("install", "--check", "--config", folder.toString())).isZero();

        Files.writeString(folder.resolve("hbase-site.xml"), "<configuration><property>");
        assertThat(run("install", "--check", "--config", folder.toString())).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("hearth install: " + folder.resolve("hbase-site.xml") + " can't be read: ")
                .hasLineCount(1);
    }

    /** Broken (whatever fails is the cluster's): exit code 4, and no word of the file. */
    @Test
    void halfASiteFileIsAWrongArgumentWithItsName() throws Exception {
        Path site = folder.resolve("hbase-site.xml");
        Files.writeString(site, "<configuration><property>");

        assertThat(run("status", "--config", folder.toString())).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("hearth status: a site file can't be read: ")
                .contains(site.toString())
                .hasLineCount(1);
    }

    @Test
    void halfALoginIsOneLine() throws Exception {
        Files.writeString(
                folder.resolve("hbase-site.xml"),
                "<configuration><property><name>hearth.healer.keytab.file</name><value>/k</value></property></configuration>");

        assertThat(run("healer", "daemon", "--config", folder.toString())).isEqualTo(5);
        assertThat(err.toString())
                .isEqualTo(
                        "hearth healer daemon: hearth.healer.keytab.file is set and hearth.healer.kerberos.principal is not."
                                + " Set both, or neither to speak to HDFS as the process does.\n");
    }

    /** What is shipped for Prometheus is what the command prints for the objectives that are shipped. */
    @Test
    void theRulesOfTheShippedObjectivesArePrinted() throws Exception {
        assertThat(run("slo", "rules", "--objectives", "../conf/slo-objectives.txt"))
                .isZero();
        assertThat(out.toString()).isEqualTo(Files.readString(Path.of("../conf/prometheus/hearth-slo-alerts.yml")));
        assertThat(err.toString()).isEmpty();
    }

    /** A group shows the first line of the description of each of its commands. */
    @ParameterizedTest
    @ValueSource(strings = {"balancer", "healer", "slo"})
    void whatAGroupShowsOfACommandIsAWholeSentence(String group) {
        assertThat(Main.commandLine()
                        .getSubcommands()
                        .get(group)
                        .getSubcommands()
                        .values())
                .isNotEmpty()
                .allSatisfy(command -> assertThat(
                                command.getCommandSpec().usageMessage().description()[0])
                        .as(command.getCommandSpec().qualifiedName())
                        .endsWith(".")
                        .hasSizeLessThan(80));
    }

    @Test
    void everyCommandHasExamplesAndUnderstandsThem() {
        List<CommandLine> commands = new ArrayList<>();
        Main.commandLine().getSubcommands().values().forEach(command -> addWithSubcommands(command, commands));

        assertThat(commands).hasSizeGreaterThan(20).allSatisfy(command -> {
            String[] examples = command.getCommandSpec().usageMessage().footer();
            assertThat(examples)
                    .as(command.getCommandSpec().qualifiedName())
                    .isNotEmpty()
                    .allSatisfy(example -> {
                        Matcher arguments = EXAMPLE.matcher(example);
                        assertThat(arguments.matches()).as(example).isTrue();
                        Main.commandLine().parseArgs(arguments.group(1).split(" "));
                    });
        });
    }

    private static void addWithSubcommands(CommandLine command, List<CommandLine> commands) {
        commands.add(command);
        command.getSubcommands().values().forEach(one -> addWithSubcommands(one, commands));
    }

    @Test
    void helpSaysOptionsExitCodesAndExamples() {
        assertThat(run("healer", "run", "--help")).isZero();
        assertThat(out.toString())
                .contains(
                        "Usage: bin/hearth healer run",
                        "--bandwidth",
                        "--target-locality",
                        "--dry-run",
                        "--output",
                        "--config")
                .contains("Exit codes:", "3     another healer works on this cluster", "130")
                .contains("Examples:", "bin/hearth healer run --table usertable --bandwidth 50MB");
    }

    /** Who can change a plan's file can make its hash as well. */
    @Test
    void helpOfApplySaysWhatTheHashOfAPlanIsGoodFor() {
        assertThat(run("balancer", "apply", "--help")).isZero();
        assertThat(out.toString().replaceAll("\\s+", " "))
                .contains(
                        "It is refused once it is 15 minutes old, does not match its hash,",
                        "The hash has no key: it guards against accidents, not against intent.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "status",
                "top",
                "balancer status",
                "balancer plan",
                "balancer apply",
                "balancer mode",
                "balancer pins",
                "balancer pins remove",
                "healer status",
                "healer run",
                "healer daemon",
                "healer pause",
                "healer resume",
                "doctor",
                "slo run",
                "ui",
                "install",
                "table set",
                "snapshot capture"
            })
    void everyCommandSaysItsExitCodesAndAnExample(String command) {
        String[] words = (command + " --help").split(" ", -1);
        assertThat(run(words)).isZero();
        assertThat(out.toString())
                .startsWith("Usage: bin/hearth " + command)
                .contains("Exit codes:", "Examples:", "  bin/hearth " + command, "--config=DIR");
    }

    /** A realm of this JVM without a KDC, as a krb5.conf names one. */
    private static final class RealmOfTest {

        private static final String KEY = "java.security.krb5.conf";

        private final Optional<String> before = Optional.ofNullable(System.getProperty(KEY));

        RealmOfTest(Path folder) throws IOException {
            Path conf = Files.writeString(folder.resolve("krb5.conf"), "[libdefaults]\n default_realm = EXAMPLE.COM\n");
            System.setProperty(KEY, conf.toString());
            readAgain();
        }

        /** The JDK does that when somebody logs in. */
        private static void readAgain() {
            Krb5LoginModule login = new Krb5LoginModule();
            login.initialize(
                    new Subject(),
                    null,
                    Map.of(),
                    Map.of(
                            "refreshKrb5Config", "true",
                            "doNotPrompt", "true",
                            "useTicketCache", "true",
                            "ticketCache", "/no/such/cache"));
            assertThatThrownBy(login::login).isInstanceOf(LoginException.class);
        }

        void close() {
            before.ifPresentOrElse(value -> System.setProperty(KEY, value), () -> System.clearProperty(KEY));
            readAgain();
        }
    }

    /** HBase's own message ends in "exceptions:" and goes on in further lines. */
    @Test
    void ofAttemptsThatFailedTheLastCauseIsSaid() {
        IOException failed = new IOException(
                "Failed after attempts=2, exceptions:\n2026-11-30T07:58:23.1Z, the first\n",
                new IOException("wrapped", new java.net.ConnectException("Connection refused")));

        assertThat(Main.problem(failed))
                .isEqualTo("the cluster can't be asked: Failed after attempts=2: Connection refused");
    }
}

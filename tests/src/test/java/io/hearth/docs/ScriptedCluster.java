// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.testkit.process.layout.ConfFileContents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;

/**
 * A cluster of processes that a test drives by {@code bin/hearth}, as a person does. Stateless.
 *
 * @param temp what the commands take for the folder of temporary files; the cluster is in it
 * @param environment more variables of the commands, and so of the processes that they start
 */
record ScriptedCluster(Path temp, Map<String, String> environment) {

    private static final int MINUTES = 5;

    ScriptedCluster(Path temp) {
        this(temp, Map.of());
    }

    /** Runs one command, which finds the cluster's hosts: their names are known to nobody but its own file. */
    HearthScript.Result run(String... arguments) throws IOException, InterruptedException {
        return HearthScript.run(temp, variables(), MINUTES, arguments);
    }

    /** The same as a part of another command, such as one that enters a host's network. */
    HearthScript.Result runWithin(List<String> another, String... arguments) throws IOException, InterruptedException {
        return HearthScript.runWithin(another, temp, variables(), MINUTES, arguments);
    }

    /** Starts one command that goes on until somebody ends it; what it prints comes into this file. */
    Process start(Path output, String... arguments) throws IOException {
        return HearthScript.start(temp, variables(), ProcessBuilder.Redirect.to(output.toFile()), arguments);
    }

    private Map<String, String> variables() {
        Map<String, String> all = new TreeMap<>(environment);
        all.put("TMPDIR", temp.toString());
        all.put(
                "HEARTH_OPTS",
                "-Xmx512m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Djdk.net.hosts.file=" + conf().resolve("hosts"));
        return all;
    }

    /** Runs one command that must succeed; returns what it printed. */
    String done(String... arguments) throws IOException, InterruptedException {
        HearthScript.Result result = run(arguments);
        assertThat(result.exitCode()).as(result.output()).isZero();
        return result.output();
    }

    /** Changes a file of its configuration; who runs does not read it again by itself. */
    void edit(String file, Consumer<Map<String, String>> change) throws IOException {
        Configuration site = new Configuration(false);
        site.addResource(new org.apache.hadoop.fs.Path(conf().resolve(file).toUri()));
        Map<String, String> lines = new TreeMap<>();
        // Raw, because what differs between hosts stands there as a variable.
        site.getPropsWithPrefix("").keySet().forEach(key -> lines.put(key, site.getRaw(key)));
        change.accept(lines);
        Files.writeString(conf().resolve(file), ConfFileContents.site(lines));
    }

    /** Of the host of this name. */
    String address(String host) throws IOException {
        return Files.readAllLines(conf().resolve("hosts")).stream()
                .filter(line -> line.endsWith(" " + host))
                .map(line -> line.split(" ")[0])
                .findFirst()
                .orElseThrow();
    }

    Path folder() {
        return temp.resolve("hearth-cluster-" + System.getProperty("user.name"));
    }

    Path conf() {
        return folder().resolve("conf");
    }
}

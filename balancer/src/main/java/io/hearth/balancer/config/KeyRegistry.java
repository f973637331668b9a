// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings;
import io.hearth.common.config.Setting;
import io.hearth.common.config.UnknownKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Every key of Hearth's that this JVM can read: the balancer's own, and those of the other jars that are on the class path beside
 * this one. A key of a jar that is not there is told from a key that nobody knows.
 *
 * <p>Each jar reads its own section and reports its own misspelt keys; the balancer, which is there in every HMaster that plans,
 * looks after the rest. Stateless.
 */
public final class KeyRegistry {

    /**
     * The keys of one part of Hearth.
     *
     * @param prefix what its keys begin with
     * @param jar the jar that reads them
     * @param settingsClass has them in its public field {@code ALL}; there if the jar is
     */
    private record Section(String prefix, String jar, String settingsClass) {

        @SuppressWarnings("unchecked")
        Optional<List<Setting<?>>> settings() {
            try {
                Class<?> type = Class.forName(settingsClass, true, KeyRegistry.class.getClassLoader());
                return Optional.of((List<Setting<?>>) type.getField("ALL").get(null));
            } catch (ReflectiveOperationException | LinkageError | ClassCastException notThere) {
                return Optional.empty();
            }
        }
    }

    private static final String COPROCESSOR = "hearth-coprocessor.jar";
    private static final List<Section> OTHERS = List.of(
            new Section("hearth.heal.", COPROCESSOR, "io.hearth.healer.config.HealingSettings"),
            new Section("hearth.healer.", COPROCESSOR, "io.hearth.healer.config.LoginSettings"),
            new Section("hearth.ui.", COPROCESSOR, "io.hearth.ui.config.UiSettings"));

    /** The HMaster reads hdfs-site.xml as well, where these belong; only a DataNode knows whether they are spelt right. */
    private static final Section DATANODE =
            new Section("hearth.datanode.", "hearth-datanode.jar", "io.hearth.datanode.config.DataNodeSettings");

    private KeyRegistry() {}

    /** Every setting of every jar that is there, in the order in which they are documented. */
    public static List<Setting<?>> settings() {
        List<Setting<?>> all = new ArrayList<>(BalancerSettings.all());
        Stream.concat(OTHERS.stream(), Stream.of(DATANODE))
                .forEach(section -> section.settings().ifPresent(all::addAll));
        return all;
    }

    /**
     * A problem for each {@code hearth.} key that nobody reads here: one of a jar that is not there, or one that is not known at
     * all and in the section of no other jar that is there.
     *
     * @param where the name of the configuration in messages
     * @param isKeyOfATableOrServer whether a key sets something of one table or server
     */
    static List<ConfigProblem> unread(String where, RawSettings raw, Predicate<String> isKeyOfATableOrServer) {
        List<String> known = settings().stream().map(Setting::key).toList();
        List<ConfigProblem> problems = new ArrayList<>(UnknownKeys.find(
                where,
                raw,
                "hearth.",
                key -> known.contains(key)
                        || key.startsWith(DATANODE.prefix())
                        || isKeyOfATableOrServer.test(key)
                        || OTHERS.stream().anyMatch(section -> key.startsWith(section.prefix())),
                known));
        for (Section section : OTHERS) {
            if (section.settings().isEmpty()) {
                raw.keysWithPrefix(section.prefix())
                        .forEach(key -> problems.add(ConfigProblem.notInstalled(where, key, section.jar())));
            }
        }
        return problems;
    }
}

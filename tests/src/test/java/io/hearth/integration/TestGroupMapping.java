// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import org.apache.hadoop.security.GroupMappingServiceProvider;

/** The groups of a test's users, as Hadoop's servers ask for them; who is in HDFS's group of superusers can be changed. */
public final class TestGroupMapping implements GroupMappingServiceProvider {

    /** Users that are in the group {@code supergroup}. */
    static final Set<String> SUPERUSERS = new CopyOnWriteArraySet<>();

    @Override
    public List<String> getGroups(String user) {
        return List.copyOf(getGroupsSet(user));
    }

    @Override
    public Set<String> getGroupsSet(String user) {
        return SUPERUSERS.contains(user) ? Set.of("supergroup", user) : Set.of(user);
    }

    @Override
    public void cacheGroupsRefresh() {}

    @Override
    public void cacheGroupsAdd(List<String> groups) {}
}

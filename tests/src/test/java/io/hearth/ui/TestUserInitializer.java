// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui;

import java.io.IOException;
import java.util.Map;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.http.FilterContainer;
import org.apache.hadoop.hbase.http.FilterInitializer;
import org.apache.hadoop.security.authorize.AccessControlList;

/**
 * Stands in for Kerberos in the web UI of a test's master: the user is who the request's header says, and {@code ops} is in the
 * list of admins.
 */
public final class TestUserInitializer extends FilterInitializer {

    static final String USER_HEADER = "X-Test-User";
    private static final String ADMINS_ACL = "admins.acl";

    @Override
    public void initFilter(FilterContainer container, Configuration conf) {
        container.addGlobalFilter("test user", UserFilter.class.getName(), Map.of());
    }

    /** Gives each request its user. */
    public static final class UserFilter implements Filter {

        @Override
        public void init(FilterConfig config) {
            config.getServletContext().setAttribute(ADMINS_ACL, new AccessControlList("ops"));
        }

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            String user = ((HttpServletRequest) request).getHeader(USER_HEADER);
            chain.doFilter(
                    new HttpServletRequestWrapper((HttpServletRequest) request) {
                        @Override
                        public String getRemoteUser() {
                            return user;
                        }
                    },
                    response);
        }

        @Override
        public void destroy() {}
    }
}

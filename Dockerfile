# Balcão with everything that it needs: docs/operations.md, 'Containers'.
#
#   docker build --tag balcao .
#   docker run --detach --publish 127.0.0.1:3000:3000 --volume balcao:/var/lib/balcao --stop-timeout 90 balcao

# Debian and not Alpine: the embedded PostgreSQL needs glibc.
FROM node:24-bookworm-slim AS build
WORKDIR /opt/balcao
COPY package.json package-lock.json .npmrc ./
COPY scripts/node ./scripts/node
RUN npm ci
COPY tsconfig.base.json vite.config.ts ./
COPY scripts ./scripts
COPY src ./src
RUN npm run build && npm run prepare-installation && npm prune --omit=dev

# Without npm, yarn and the headers of the image that builds, which are 150 MB.
FROM debian:bookworm-slim
RUN apt-get update \
 && apt-get install --yes --no-install-recommends libstdc++6 tini \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --user-group --create-home --shell /usr/sbin/nologin balcao \
 && install --directory --owner=balcao --group=balcao --mode=0700 /var/lib/balcao /var/cache/balcao \
 && ln -s /opt/balcao/deploy/balcao-admin /usr/local/bin/balcao-admin
COPY --from=build /usr/local/bin/node /usr/local/bin/node
WORKDIR /opt/balcao
COPY LICENSE README.md CHANGELOG.md SECURITY.md package.json ./
COPY docs ./docs
COPY deploy ./deploy
COPY scripts ./scripts
COPY --from=build /opt/balcao/node_modules ./node_modules
COPY --from=build /opt/balcao/dist ./dist
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/balcao
# The compiled code, so that later starts take half of the processor's time.
ENV NODE_COMPILE_CACHE=/var/cache/balcao
USER balcao
# Fails the build, and not the first start, if the program would have to write into its own folder.
RUN ["node", "--import", "./scripts/right-node.mjs", "scripts/balcao.mjs", "prepare"]
VOLUME /var/lib/balcao
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# tini collects the processes of a PostgreSQL that was killed. The command is that of npm start.
ENTRYPOINT ["tini", "--"]
CMD ["node", "--max-semi-space-size=8", "--liftoff-only", "--disable-proto=delete", "--import", "./scripts/right-node.mjs", "scripts/balcao.mjs"]

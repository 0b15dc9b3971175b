FROM node:26-bookworm-slim AS install
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev

FROM node:26-bookworm-slim AS console
WORKDIR /app
COPY package.json package-lock.json ./
# A workspace with the TypeScript that the editor's worker is built from.
COPY console/editor/package.json ./console/editor/
RUN npm ci
COPY . .
RUN npm run build:console

FROM node:26-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
# The users of the server, the runner and the workers. It starts as root, which starts each of them as its own user.
ENV START_USERS=10001,10002,10003
# Without these the runner does not start, and the container ends and says why. docs/sandbox.md tells what brings them in a container.
ENV RUNNER_ISOLATION_REQUIRED=process,no_new_privs,unprivileged,filesystem
RUN apt-get update && apt-get install -y --no-install-recommends bubblewrap && rm -rf /var/lib/apt/lists/*
COPY --from=install /app/node_modules ./node_modules
COPY . .
COPY --from=console /app/dist ./dist
RUN useradd --uid 10001 backroom && useradd --uid 10002 runner && useradd --uid 10003 worker && \
    install --directory --mode=700 --owner=10001 --group=10001 /data
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=3s CMD node -e "fetch('http://127.0.0.1:8787/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
CMD ["node", "--disable-warning=ExperimentalWarning", "scripts/start.ts"]

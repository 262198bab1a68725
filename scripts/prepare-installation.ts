import { findPackage, makeLinks } from '#server/platform/embedded-postgres/binaries.ts'
import { ensureWebBuilt } from '#server/platform/http/web-build.ts'

// Does what the first start does in the program's own folder, for an installation whose account may not write
// there: an image, or a folder that belongs to root. Without anything to do it writes nothing, so under that
// account it tells whether the folder is ready.

await ensureWebBuilt((line) => console.log(line))
const { folder } = await findPackage()
if (!(await makeLinks(folder))) throw new Error(`${folder}: the links of the embedded PostgreSQL are missing`)
console.log('The program is ready to start.')

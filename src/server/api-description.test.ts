import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import type { OpenAPIV3 } from 'openapi-types'
import { generateApi } from 'swagger-typescript-api'
import { expect, test } from 'vitest'
import { folderForTests } from '#server/testing/for-all-tests.ts'
import { forAllTests, testApp } from '#server/testing/test-app.ts'

// The description of the API, as programs read it.

const t = forAllTests(testApp)
const admin = forAllTests(() => t.signIn('admin', 'ana'))
const describe = () => admin.get<OpenAPIV3.Document>('/api/docs')

const operationsOf = ({ paths }: OpenAPIV3.Document) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item ?? {}).map(([method, operation]) => ({
      name: `${method} ${path}`,
      method,
      operation: operation as OpenAPIV3.OperationObject,
    })),
  )

test('the description of the API is valid OpenAPI', async () => {
  const result = await new Validator().validate(structuredClone(await describe()) as never)
  expect(result.errors ?? []).toEqual([])
  expect(result.valid).toBe(true)
})

test('each call has its own name, its refusals, and says who may make it', async () => {
  const api = await describe()
  const operations = operationsOf(api)
  expect(operations.length).toBeGreaterThan(150)
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length)
  expect(api.security).toEqual([{ bearer: [] }])
  expect(api.components?.securitySchemes).toHaveProperty('bearer')
  for (const { name, operation } of operations) {
    const { responses, security } = operation
    expect([name, Object.keys(responses)]).toEqual([name, expect.arrayContaining(['default'])])
    if (security === undefined) expect([name, '401' in responses]).toEqual([name, true])
  }
})

test('a call without a body answers 204, one that sends a file says so, a form has its file', async () => {
  const { paths, components } = await describe()
  expect(Object.keys(paths['/api/auth/logout']?.post?.responses ?? {})).toContain('204')
  expect(paths['/api/contacts/export']?.get?.responses['200']).toMatchObject({
    content: { '*/*': { schema: { format: 'binary' } } },
  })
  // A GET that sends nothing is not taken for one that sends a file.
  const confirmation = paths['/api/auth/confirmation']?.get?.responses ?? {}
  expect([Object.keys(confirmation).includes('200'), confirmation['204']]).toEqual([
    false,
    { description: 'Feito' },
  ])
  const form = paths['/api/media/upload']?.post?.requestBody as OpenAPIV3.RequestBodyObject
  const schema = form.content['multipart/form-data']?.schema
  const named = schema && '$ref' in schema ? schema.$ref.split('/').at(-1) : ''
  expect(components?.schemas?.[named ?? '']).toMatchObject({ properties: { file: { format: 'binary' } } })
})

test('what calls have in common stands once, and a client that is generated from it compiles', async () => {
  const api = await describe()
  const schemas = Object.keys(api.components?.schemas ?? {})
  expect(schemas.length).toBeGreaterThan(15)
  const folder = folderForTests()
  await generateApi({ spec: api as never, output: folder, fileName: 'client.ts', silent: true })
  const tsc = join(import.meta.dirname, '..', '..', 'node_modules', '.bin', 'tsc')
  const flags = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--lib',
    'es2022,dom,dom.iterable',
    '--target',
    'es2022',
  ]
  const { status, stdout } = spawnSync(tsc, [...flags, '--ignoreConfig', join(folder, 'client.ts')], {
    encoding: 'utf8',
    cwd: folder,
  })
  expect(stdout.split('\n').slice(0, 10)).toEqual([''])
  expect(status).toBe(0)
})

import * as z from 'zod/mini'
import { listing } from '#shared/audit/unaudited.ts'
import { clientName, clientPhone } from './client-phone.ts'
import { optionalPhoneField } from './phone-field.ts'
import { showsNothing } from '#shared/text/shows-nothing.ts'
import { endpoint } from '#shared/endpoint.ts'
import { id, idParam, instant } from '#shared/users/users.ts'

/**
 * The fields of a company that everybody who may view contacts, conversations or companies sees.
 * @see security D10
 */
export const companyOption = z.object({ id, name: clientName, isActive: z.boolean() })
export type CompanyOption = z.infer<typeof companyOption>

/** The added fields are absent without canViewCompanies. */
const company = z.extend(companyOption, {
  phone: z.optional(z.nullable(clientPhone)),
  responsibleName: z.optional(z.nullable(clientName)),
  contactCount: z.optional(z.int()),
  lastContactAt: z.optional(z.nullable(instant)),
  updatedAt: z.optional(instant),
})
export type Company = z.infer<typeof company>

export const maxCompanyName = 200

const number = z.pipe(
  z.pipe(z.string().check(z.regex(/^\d{1,6}$/)), z.transform(Number)),
  z.int().check(z.minimum(1)),
)

export const listCompanies = endpoint({
  method: 'GET',
  path: '/api/companies',
  summary: 'As empresas: todas para escolher, ou uma página quando `page` é dado',
  rows: {
    'GET /api/companies (list)': { act: 'viewCompanies', audit: listing },
    'GET /api/companies (picker)': { needs: [['canViewContacts', 'canViewConversations']], audit: listing },
  },
  query: z.object({
    page: z.optional(number),
    limit: z.optional(z.pipe(number, z.number().check(z.maximum(100)))),
    /** Searches the name and, with canViewCompanies, the telephone and the name of the person responsible. */
    search: z.optional(z.string().check(z.maxLength(200))),
  }),
  reply: z.union([
    z.array(companyOption),
    z.object({
      companies: z.array(company),
      pagination: z.object({
        page: z.int(),
        limit: z.int(),
        total: z.int(),
        totalPages: z.int(),
      }),
    }),
  ]),
})

function optionalText(longest: number) {
  return z.optional(z.string().check(z.trim(), z.maxLength(longest)))
}

/** @see specification §5 Company form */
export const companyForm = z.object({
  name: z.string().check(
    z.trim(),
    z.refine((name) => !showsNothing(name), 'Nome é obrigatório'),
    z.maxLength(maxCompanyName),
  ),
  phone: z.optional(optionalPhoneField),
  responsibleName: optionalText(200),
  isActive: z.optional(z.boolean()),
})

export const createCompany = endpoint({
  method: 'POST',
  path: '/api/companies',
  summary: 'Criar uma empresa',
  act: 'createCompany',
  audit: 'company.create',
  body: companyForm,
  reply: companyOption,
  status: 201,
})

export const updateCompany = endpoint({
  method: 'PUT',
  path: '/api/companies/:id',
  summary: 'Mudar uma empresa: só o que vem no corpo muda',
  act: 'editCompany',
  audit: 'company.change',
  ids: { id: 'company' },
  params: z.object({ id: idParam }),
  body: z.extend(z.partial(companyForm), {
    /** The version that the caller has, as for a contact. */
    updatedAt: z.optional(instant),
  }),
  reply: companyOption,
})
export type CompanyForm = z.output<typeof companyForm>
export type CompanyChange = z.output<NonNullable<(typeof updateCompany)['body']>>

export const deleteCompany = endpoint({
  method: 'DELETE',
  path: '/api/companies/:id',
  summary: 'Excluir uma empresa; os contatos ficam sem empresa',
  act: 'deleteCompany',
  audit: 'company.delete',
  ids: { id: 'company' },
  params: z.object({ id: idParam }),
})

/** Pairs of companies with the same phone number, at most ten; without those that are kept apart. */
export const listDuplicateCompanies = endpoint({
  method: 'GET',
  path: '/api/companies/duplicates',
  summary: 'Empresas com o mesmo telefone, que podem ser a mesma',
  needs: ['canEditCompanies', 'canViewCompanies'],
  audit: listing,
  reply: z.array(z.tuple([company, company])),
})

/** The contacts of the other one move to this one, which fills its empty fields from it. */
export const mergeCompany = endpoint({
  method: 'POST',
  path: '/api/companies/:id/merge',
  summary: 'Juntar a esta empresa outra que é a mesma',
  act: 'mergeCompanies',
  audit: 'company.merge',
  ids: { id: 'company' },
  params: z.object({ id: idParam }),
  body: z.object({ otherId: id }),
  reply: companyOption,
})

export const keepCompaniesApart = endpoint({
  method: 'POST',
  path: '/api/companies/:id/keep-apart',
  summary: 'Dizer que duas empresas são diferentes',
  needs: ['canEditCompanies', 'canViewCompanies'],
  audit: 'company.distinct',
  ids: { id: 'company' },
  params: z.object({ id: idParam }),
  body: z.object({ otherId: id }),
})

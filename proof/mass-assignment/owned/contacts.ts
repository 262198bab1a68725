import { act, own, type Owned } from './owned.ts'

/** A file that is begun, or goes on, by whoever does that. */
const importing =
  '+audit_logs contact_imports.actor contact_imports.ended_at contact_imports.known ' +
  'contact_imports.mapping contact_imports.may_create_companies contact_imports.resumed_at ' +
  'contact_imports.started_at contact_imports.state'

/** Contacts with their categories and imports, and companies. */
export const contacts: Readonly<Record<string, Owned>> = {
  'POST /api/contacts/by-phone (known)': own('name phone'),
  'POST /api/contacts/by-phone (new)': own('name phone', '+audit_logs +contact_identities +contacts'),
  'PUT /api/contacts/{id}': own(
    'category companyId email name notes phone tags updatedAt',
    '+audit_logs contacts.name contacts.name_folded contacts.notes contacts.updated_at',
  ),
  'POST /api/contacts': own(
    'category companyId email name notes phone tags',
    '+audit_logs +contact_identities +contacts',
  ),
  'DELETE /api/contacts/{id}': own('', '+audit_logs contacts.deleted_at contacts.updated_at'),
  'POST /api/contacts/{id}/restore': own('', '+audit_logs contacts.deleted_at contacts.updated_at'),
  'POST /api/contacts/{id}/block': own(
    '',
    act,
    '+messages contacts.is_blocked contacts.updated_at conversations.completed_at',
    'conversations.status conversations.version conversations.waiting_for conversations.waiting_since',
  ),
  'POST /api/contacts/{id}/anonymize': own(
    '',
    act,
    '+messages +privacy_requests -contact_identities contacts.erased_at contacts.has_gateway_name',
    'contacts.name contacts.name_folded contacts.phone contacts.updated_at conversations.completed_at',
    'conversations.status conversations.version conversations.waiting_for conversations.waiting_since',
    'messages.content messages.metadata messages.version',
  ),
  'POST /api/contacts/{id}/unblock': own('', '+audit_logs contacts.is_blocked contacts.updated_at'),
  'POST /api/contacts/{id}/merge': own(
    'otherId',
    '+audit_logs +contact_merges +events contact_identities.contact_id contacts.deleted_at contacts.phone',
    'contacts.updated_at conversations.contact_id conversations.version',
    'queue_pending_conversations.contact_id',
  ),
  'POST /api/contacts/merges/{id}/undo': own(
    '',
    '+audit_logs +contact_distinctions contact_merges.undone_at contacts.deleted_at contacts.name',
    'contacts.name_folded contacts.has_gateway_name contacts.updated_at contacts.phone',
  ),
  'POST /api/contacts/{id}/keep-apart': own('otherId', '+audit_logs +contact_distinctions'),
  'POST /api/contacts/import': own('', '+contact_imports'),
  'POST /api/contacts/imports/{id}/start (skip)': own('known mapping', importing),
  'POST /api/contacts/imports/{id}/start (update)': own('known mapping', importing),
  'POST /api/contacts/imports/{id}/stop': own(
    '',
    '+audit_logs contact_imports.ended_at contact_imports.state',
  ),
  'POST /api/contacts/imports/{id}/continue (skip)': own('', importing),
  'POST /api/contacts/imports/{id}/continue (update)': own('', importing),
  'POST /api/contacts/imports/{id}/undo': own(
    '',
    '+audit_logs contact_imports.actor contact_imports.may_create_companies contact_imports.state',
  ),
  'DELETE /api/contacts/imports/{id}': own('', '-contact_imports'),
  'POST /api/contact-categories': own(
    'color description isActive name priority',
    '+audit_logs +contact_categories',
  ),
  'PUT /api/contact-categories/{id}': own(
    'color description isActive name priority updatedAt',
    '+audit_logs contact_categories.color contact_categories.description contact_categories.is_active',
    'contact_categories.name contact_categories.priority contact_categories.updated_at',
  ),
  'DELETE /api/contact-categories/{id}': own('', '+audit_logs -contact_categories'),
  'POST /api/companies': own('isActive name phone responsibleName', '+audit_logs +companies'),
  'PUT /api/companies/{id}': own(
    'isActive name phone responsibleName updatedAt',
    '+audit_logs companies.is_active companies.name companies.phone companies.responsible_name',
    'companies.updated_at',
  ),
  'DELETE /api/companies/{id}': own('', '+audit_logs -companies'),
  'POST /api/companies/{id}/merge': own('otherId', '+audit_logs -companies companies.updated_at'),
  'POST /api/companies/{id}/keep-apart': own('otherId', '+audit_logs +company_distinctions'),
}

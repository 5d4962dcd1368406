"""A service of one bucket that verifies AWS Signature Version 4. Arguments: key id, secret, region, session token.

Prints its port. Requests must be paid by the requester. A page of a list has three entries.
"""
import hashlib
import hmac
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, quote, unquote, urlsplit
from xml.sax.saxutils import escape

KEY_ID, SECRET, REGION, TOKEN = sys.argv[1:5]
PAGE = 3
objects = {}


def digest(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


class Refused(Exception):
    pass


class Bucket(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def log_message(self, *args):
        pass

    def verify(self, body):
        fields = dict(part.split('=', 1) for part in
                      self.headers['Authorization'].removeprefix('AWS4-HMAC-SHA256 ').split(','))
        key_id, day, region, service, end = fields['Credential'].split('/')
        if (key_id, region, service, end) != (KEY_ID, REGION, 's3', 'aws4_request'):
            raise Refused('InvalidAccessKeyId')
        if self.headers['x-amz-content-sha256'] != hashlib.sha256(body).hexdigest():
            raise Refused('XAmzContentSHA256Mismatch')
        signed = fields['SignedHeaders'].split(';')
        needed = {'host'} | {name.lower() for name in self.headers if name.lower().startswith('x-amz-')}
        if signed != sorted(signed) or not needed <= set(signed):
            raise Refused('AccessDenied')
        parts = urlsplit(self.path)
        # The key is encoded once, whatever the client did.
        path = quote(unquote(parts.path), safe='/-_.~')
        query = '&'.join(sorted(
            quote(name, safe='-_.~') + '=' + quote(value, safe='-_.~')
            for name, value in parse_qsl(parts.query, keep_blank_values=True)))
        headers = ''.join(f'{name}:{" ".join(self.headers[name].split())}\n' for name in signed)
        request = '\n'.join([self.command, path, query, headers, ';'.join(signed),
                             self.headers['x-amz-content-sha256']])
        scope = f'{day}/{REGION}/s3/aws4_request'
        text = '\n'.join(['AWS4-HMAC-SHA256', self.headers['x-amz-date'], scope,
                          hashlib.sha256(request.encode()).hexdigest()])
        key = digest(digest(digest(digest(('AWS4' + SECRET).encode(), day), REGION), 's3'), 'aws4_request')
        if hmac.new(key, text.encode(), hashlib.sha256).hexdigest() != fields['Signature']:
            raise Refused('SignatureDoesNotMatch')
        if self.headers['x-amz-security-token'] != TOKEN:
            raise Refused('InvalidToken')
        if self.headers['x-amz-request-payer'] != 'requester':
            raise Refused('AccessDenied')

    def answer(self, status, body=b'', **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace('_', '-'), value)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        if self.command != 'HEAD':
            self.wfile.write(body)

    def handle_all(self):
        body = self.rfile.read(int(self.headers.get('Content-Length') or 0))
        try:
            self.verify(body)
        except Refused as refused:
            self.answer(403, f'<Error><Code>{refused}</Code></Error>'.encode())
            return
        parts = urlsplit(self.path)
        bucket, _, key = unquote(parts.path)[1:].partition('/')
        if self.command == 'GET' and not key:
            self.list(dict(parse_qsl(parts.query, keep_blank_values=True)))
        elif self.command == 'PUT':
            objects[key] = body
            self.answer(200, ETag='"%s"' % hashlib.md5(body).hexdigest())
        elif self.command == 'DELETE':
            objects.pop(key, None)
            self.send_response(204)
            self.end_headers()
        elif key not in objects:
            self.answer(404, b'<Error><Code>NoSuchKey</Code></Error>')
        elif self.command == 'HEAD':
            self.answer(200)
        else:
            first, last = self.headers['Range'].removeprefix('bytes=').split('-')
            content = objects[key]
            last = min(int(last), len(content) - 1)
            self.answer(206, content[int(first):last + 1], ETag='"%s"' % hashlib.md5(content).hexdigest(),
                        Content_Range=f'bytes {first}-{last}/{len(content)}')

    def list(self, query):
        assert query['list-type'] == '2' and query['encoding-type'] == 'url'
        prefix, delimiter = query['prefix'], query.get('delimiter')
        names = {}
        for key in objects:
            if key.startswith(prefix):
                rest = key[len(prefix):]
                if delimiter and delimiter in rest:
                    names[prefix + rest.split(delimiter)[0] + delimiter] = None
                else:
                    names[key] = len(objects[key])
        after = sorted(name for name in names if name > query.get('continuation-token', ''))
        page, more = after[:PAGE], len(after) > PAGE
        entries = ''.join(
            f'<CommonPrefixes><Prefix>{quote(name, safe="/")}</Prefix></CommonPrefixes>' if names[name] is None
            else f'<Contents><Key>{quote(name, safe="/")}</Key><Size>{names[name]}</Size></Contents>'
            for name in page)
        token = f'<NextContinuationToken>{escape(page[-1])}</NextContinuationToken>' if more else ''
        self.answer(200, ('<?xml version="1.0" encoding="UTF-8"?>'
                          '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
                          f'<EncodingType>url</EncodingType><IsTruncated>{str(more).lower()}</IsTruncated>'
                          f'{token}{entries}</ListBucketResult>').encode(), Content_Type='application/xml')

    do_GET = do_HEAD = do_PUT = do_DELETE = handle_all


server = ThreadingHTTPServer(('127.0.0.1', 0), Bucket)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
